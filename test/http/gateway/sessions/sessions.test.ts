import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { makeAnsweringGateway } from "../../../support/answeringGateway.ts"
import { makeGatewayApp, makeJsonApp } from "../../../support/gatewayApp.ts"

describe("what a person does with a whole session", () => {
  for (const generation of ["old", "new"] as const) {
    it.live(`deletes and compacts it, but no main session (${generation} generation)`, () =>
      Effect.gen(function* () {
        const { send } = yield* makeGatewayApp({ generation })
        const remove = (key: string) => send("DELETE", `/api/sessions?sessionKey=${encodeURIComponent(key)}`)
        const answer = yield* remove("agent:main:dashboard:mine")
        assert.deepStrictEqual(answer, { status: 200, body: { ok: true } })
        for (const key of ["agent:main:main", "main", "agent:writer:main"]) {
          const { body, status } = yield* remove(key)
          assert.strictEqual(status, 409)
          assert.deepInclude(body, { error: "main_session", why: { code: "MAIN_SESSION_STAYS" } })
        }
        const compacted = yield* send("POST", "/api/sessions/compact", { sessionKey: "agent:main:main" })
        assert.strictEqual(compacted.status, 200)
        assert.strictEqual(compacted.body.ok, true)
        assert.isBoolean(compacted.body.compacted)
      })
    )
  }

  it.live("stops what runs, and says so where nothing does", () =>
    Effect.gen(function* () {
      const gateway = yield* makeAnsweringGateway(({ params }) =>
        Effect.succeed("runId" in params ? { aborted: true, runIds: [params.runId] } : { aborted: false, runIds: [] })
      )
      const { send } = yield* makeJsonApp({ gateway: gateway.layer })
      const sessionKey = "agent:main:main"
      const stopped = yield* send("POST", "/api/sessions/stop", { sessionKey, runId: "r", tab: "t" })
      assert.deepStrictEqual(stopped, { status: 200, body: { ok: true, runIds: ["r"] } })
      const nothing = yield* send("POST", "/api/sessions/stop", { sessionKey })
      assert.strictEqual(nothing.status, 409)
      assert.deepInclude(nothing.body, { error: "nothing_to_stop", why: { code: "NOTHING_TO_STOP" } })
    })
  )

  it.live("needs the gateway's token from another machine while sign-in is off", () =>
    Effect.gen(function* () {
      const gateway = yield* makeAnsweringGateway(() => Effect.succeed({ compacted: true }))
      const app = yield* makeJsonApp({ gateway: gateway.layer, settings: { gatewayToken: Redacted.make("right") } })
      const compact = Effect.fnUntraced(function* (headers: Record<string, string>) {
        const body = JSON.stringify({ sessionKey: "agent:main:main" })
        const answer = yield* app.request("/api/sessions/compact", { method: "POST", body, headers, peer: "8.8.8.8" })
        return { answer, body: Object(yield* app.json(answer)) }
      })
      const without = yield* compact({})
      assert.strictEqual(without.answer.status, 403)
      assert.deepInclude(without.body, { error: "not_trusted", why: { code: "NOT_TRUSTED" } })
      assert.strictEqual((yield* compact({ "x-gateway-token": "right" })).answer.status, 200)
      for (let count = 0; count < 5; count += 1) {
        assert.strictEqual((yield* compact({ "x-gateway-token": "wrong" })).answer.status, 403)
      }
      const blocked = yield* compact({ "x-gateway-token": "right" })
      assert.strictEqual(blocked.answer.status, 429)
      assert.isAbove(Number(blocked.answer.headers.get("retry-after")), 0)
      assert.strictEqual((yield* compact({})).answer.status, 403, "a missing one isn't counted")
    })
  )

  it.live("is refused for a gateway that isn't there, without a key, and while the gateway is away", () =>
    Effect.gen(function* () {
      const { send } = yield* makeJsonApp()
      const gone = yield* send("DELETE", "/api/sessions?sessionKey=%40gone%3Aagent%3Amain%3Ax")
      assert.deepStrictEqual([gone.status, gone.body.error], [404, "unknown_gateway"])
      assert.strictEqual((yield* send("DELETE", "/api/sessions")).status, 400)
      assert.strictEqual((yield* send("POST", "/api/sessions/compact", {})).status, 400)
      const away = yield* send("POST", "/api/sessions/compact", { sessionKey: "agent:main:x" })
      assert.deepStrictEqual([away.status, away.body.error], [502, "gateway_failure"])
    })
  )
})

describe("a gateway", () => {
  it.live("is tried again and measured when asked", () =>
    Effect.gen(function* () {
      const { send } = yield* makeGatewayApp({ generation: "new" })
      assert.deepStrictEqual(yield* send("POST", "/api/gateways/primary/retry"), { status: 200, body: { ok: true } })
      const probe = yield* send("POST", "/api/gateways/primary/probe")
      assert.strictEqual(probe.status, 200)
      assert.hasAllKeys(probe.body, ["ms"])
      assert.isNumber(probe.body.ms)
      for (const what of ["retry", "probe"]) {
        const gone = yield* send("POST", `/api/gateways/gone/${what}`)
        assert.deepStrictEqual([gone.status, gone.body.error], [404, "unknown_gateway"])
      }
      const away = yield* makeJsonApp()
      assert.strictEqual((yield* away.send("POST", "/api/gateways/primary/probe")).status, 502)
      const remote = yield* away.request("/api/gateways/primary/retry", { method: "POST", peer: "8.8.8.8" })
      assert.strictEqual(remote.status, 403)
      yield* away.json(remote)
    })
  )
})
