import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { fakeCli } from "../../../support/fakeCli.ts"
import { makeGatewayApp } from "../../../support/gatewayApp.ts"
import { statusWhere } from "../../../support/liveClient.ts"

const waiting = statusWhere((status) => status.reason?.includes("approved this console") === true)
const unapproved = { deviceApproval: "manual" } as const

/** Every route that reads, and one of each kind that changes something. */
const ROUTES = [
  ["GET", "/api/gateway/models"],
  ["GET", "/api/skills"],
  ["GET", "/api/crons"],
  ["POST", "/api/crons/some/run"],
  ["POST", "/api/gateway/session-patch", { sessionKey: "main", thinkingLevel: "low" }]
] as const

for (const generation of ["new", "old"] as const) {
  describe(`a gateway of the ${generation} generation that has not approved the console`, () => {
    it.effect("is reported with the command that approves it, and that no tool could replace it", () =>
      Effect.gen(function* () {
        const app = yield* makeGatewayApp({ generation, ...unapproved }, { waitUntil: waiting })
        for (const [method, path, body] of ROUTES) {
          const answer = yield* app.send(method, path, body)
          assert.strictEqual(answer.status, 502, path)
          assert.match(answer.body.details, /openclaw devices approve [\w.-]+` on the gateway host\. .*set GATEWAY_CLI/)
        }
      })
    )

    it.effect("still reports a session's model over its status tool", () =>
      Effect.gen(function* () {
        const app = yield* makeGatewayApp({ generation, ...unapproved }, { waitUntil: waiting })
        const { status, body } = yield* app.send("GET", "/api/gateway/session-info")
        assert.deepStrictEqual({ status, body }, { status: 200, body: { model: "demo/companion", thinking: "off" } })
      })
    )
  })
}

describe("a gateway that has not approved the console", () => {
  it.effect("is asked through its command-line tool", () =>
    Effect.gen(function* () {
      const { path } = yield* fakeCli(
        `case "$1 $2 $3" in
        'models list --json') echo 'prose {first}'; echo '{"models":[{"key":"a/b","name":"B"}]}' ;;
        'skills list --json') echo '{"skills":[{"name":"weather"}]}' >&2 ;;
        'gateway call cron.list') echo '{"jobs":[{"id":"j","name":"From the tool"}]}' ;;
        'gateway call sessions.patch') echo '{"resolved":{"modelProvider":"a","model":"b","thinkingLevel":"low"}}' ;;
        'gateway call cron.run') echo 'Gateway call failed: Error: unknown cron job id: some' >&2; exit 1 ;;
        *) echo "unexpected $*" >&2; exit 2 ;;
        esac`
      )
      const app = yield* makeGatewayApp(unapproved, { waitUntil: waiting, settings: { gatewayCli: path } })
      const [models, skills, crons, run, patch] = yield* Effect.forEach(ROUTES, ([method, route, body]) =>
        app.send(method, route, body)
      )
      assert.deepStrictEqual(models?.body, { models: [{ id: "a/b", label: "B", provider: "a" }] })
      assert.strictEqual(skills?.body.skills[0].name, "weather")
      assert.deepStrictEqual(crons?.body, { ok: true, result: { jobs: [{ id: "j", name: "From the tool" }] } })
      assert.strictEqual(run?.status, 404)
      assert.deepStrictEqual(patch?.body, { ok: true, model: "a/b", thinking: "low" })
    })
  )
})

describe("a gateway that is away or silent", () => {
  it.effect("is reported on every route, and in status.changed and /health", () =>
    Effect.gen(function* () {
      const app = yield* makeGatewayApp({})
      assert.strictEqual((yield* app.send("GET", "/health")).body.gateway, "ok")
      yield* app.control.stop
      yield* app.untilStatus((status) => status.gateway === "unreachable")
      assert.strictEqual((yield* app.send("GET", "/health")).body.gateway, "unreachable")
      for (const [method, path, body] of ROUTES) {
        const fiber = yield* Effect.forkChild(app.send(method, path, body), { startImmediately: true })
        yield* TestClock.adjust("10 seconds")
        const answer = yield* Fiber.join(fiber)
        assert.strictEqual(answer.status, 502, path)
        assert.match(answer.body.details, /gateway/i)
      }
    })
  )

  it.effect("has ten seconds to answer", () =>
    Effect.gen(function* () {
      const app = yield* makeGatewayApp({})
      yield* app.control.setResponding(false)
      for (const [method, path, body] of ROUTES) {
        const fiber = yield* Effect.forkChild(app.send(method, path, body), { startImmediately: true })
        yield* TestClock.adjust("10 seconds")
        const answer = yield* Fiber.join(fiber)
        assert.strictEqual(answer.status, 502, path)
        assert.match(answer.body.details, /didn't answer [\w.]+ in time/)
      }
    })
  )
})
