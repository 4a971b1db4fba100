import { existsSync, readFileSync, statSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, PubSub, Redacted, Schedule } from "effect"
import { type PracticeGatewayOptions, practiceGateway } from "../../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../../practice-gateway/src/EmbeddedGateway.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { makeJsonApp } from "../../support/gatewayApp.ts"

const gatewayWith = (options: PracticeGatewayOptions) =>
  Effect.flatMap(Layer.build(practiceGateway({ tokenMs: 0, seed: false, ...options })), (context) =>
    Effect.provide(EmbeddedGateway, context)
  )

const start = Effect.gen(function* () {
  const svcHome = yield* temporaryFolder
  const restart = makeJsonApp({ settings: { svcHome } })
  return { ...(yield* restart), svcHome, restart, file: `${svcHome}/gateways.json` }
})

type App = Effect.Success<typeof start>

const inputFor = (gateway: EmbeddedGateway["Service"], name: string) => ({
  name,
  url: gateway.url,
  token: Redacted.value(gateway.token)
})

const entryOf = ({ send }: Pick<App, "send">, id: string) =>
  Effect.map(send("GET", "/api/gateways"), ({ body }) =>
    body.gateways.find((one: { readonly id: string }) => one.id === id)
  )

interface Entry {
  readonly state?: string
  readonly device?: string
}

/** Asks seldom enough for the rate limit, also where it takes its time. */
const untilEntry = (app: Pick<App, "send">, id: string, isIt: (entry: Entry) => boolean) =>
  entryOf(app, id).pipe(
    Effect.repeat({ schedule: Schedule.spaced("400 millis"), until: (entry) => entry !== undefined && isIt(entry) })
  )

const untilState = (app: Pick<App, "send">, id: string, state: string) =>
  untilEntry(app, id, (entry) => entry.state === state)

describe("the gateways", () => {
  it.live("with only the primary there is one entry, and no file", () =>
    Effect.gen(function* () {
      const { file, send } = yield* start
      const { body, status } = yield* send("GET", "/api/gateways")
      assert.strictEqual(status, 200)
      assert.deepInclude(body.gateways[0], { id: "primary", primary: true, local: true, device: "unknown" })
      assert.strictEqual(body.gateways.length, 1)
      assert.isFalse(existsSync(file))
    })
  )

  it.live("both generations are added while the console runs, announced, and restored after a restart", () =>
    Effect.gen(function* () {
      const app = yield* start
      const events = yield* app.events.subscribe
      const newer = yield* gatewayWith({ generation: "new" })
      const older = yield* gatewayWith({ generation: "old" })
      const added = yield* app.send("POST", "/api/gateways", inputFor(newer, "Home"))
      assert.strictEqual(added.status, 201)
      assert.deepInclude(added.body, { id: "home", name: "Home", primary: false, url: newer.url })
      assert.deepInclude((yield* PubSub.take(events)).data, { action: "added", id: "home" })
      const ws = { ...inputFor(older, "Work"), id: "work", url: older.url.replace("http", "ws") }
      assert.strictEqual((yield* app.send("POST", "/api/gateways", ws)).status, 201)
      assert.deepInclude(yield* untilState(app, "home", "ok"), { protocol: 4, device: "approved" })
      assert.deepInclude(yield* untilState(app, "work", "ok"), { protocol: 3, device: "approved", url: older.url })

      assert.strictEqual(statSync(app.file).mode & 0o777, 0o600)
      const all = JSON.stringify((yield* app.send("GET", "/api/gateways")).body)
      for (const { token } of [newer, older]) {
        assert.notInclude(all, Redacted.value(token))
        assert.include(readFileSync(app.file, "utf8"), Redacted.value(token))
      }
      const again = yield* app.restart
      yield* untilState(again, "home", "ok")
      yield* untilState(again, "work", "ok")
      const { body } = yield* again.send("GET", "/api/gateways")
      assert.deepStrictEqual(
        body.gateways.map(({ id }: { readonly id: string }) => id),
        ["primary", "home", "work"]
      )
    })
  )

  it.live("one that disconnects is reported, comes back by itself, and the others aren't affected", () =>
    Effect.gen(function* () {
      const app = yield* start
      const one = yield* gatewayWith({ generation: "new" })
      const other = yield* gatewayWith({ generation: "old" })
      yield* app.send("POST", "/api/gateways", inputFor(one, "One"))
      yield* app.send("POST", "/api/gateways", inputFor(other, "Other"))
      yield* untilState(app, "one", "ok")
      const { since } = yield* untilState(app, "other", "ok")
      yield* one.control.stop
      const away = yield* untilState(app, "one", "unreachable")
      assert.match(away.reason, /gateway/)
      assert.deepInclude(yield* entryOf(app, "other"), { state: "ok", since })
      assert.strictEqual((yield* app.send("GET", "/api/skills?gateway=one")).status, 502)
      assert.strictEqual((yield* app.send("GET", "/api/skills?gateway=other")).status, 200)
      yield* one.control.start
      yield* untilState(app, "one", "ok")
    })
  )

  it.live("routes about models, sessions, crons and skills ask the gateway that is named", () =>
    Effect.gen(function* () {
      const app = yield* start
      const one = yield* gatewayWith({ generation: "new" })
      const other = yield* gatewayWith({ generation: "old" })
      yield* app.send("POST", "/api/gateways", inputFor(one, "One"))
      yield* app.send("POST", "/api/gateways", inputFor(other, "Other"))
      yield* untilState(app, "one", "ok")
      yield* untilState(app, "other", "ok")
      const job = { job: { name: "Only here", schedule: "0 9 * * *", prompt: "hello" } }
      const made = yield* app.send("POST", "/api/crons?gateway=one", job)
      assert.strictEqual(made.status, 200, JSON.stringify(made.body))
      const jobs = (id: string) =>
        Effect.map(app.send("GET", `/api/crons?gateway=${id}`), ({ body }) => body.result.jobs.length)
      assert.strictEqual(yield* jobs("one"), 1)
      assert.strictEqual(yield* jobs("other"), 0)
      assert.strictEqual((yield* app.send("DELETE", `/api/crons/${made.body.id}?gateway=one`)).status, 200)
      for (const path of ["/api/gateway/models", "/api/gateway/session-info", "/api/skills", "/api/crons"]) {
        for (const id of ["one", "other"]) {
          assert.strictEqual((yield* app.send("GET", `${path}?gateway=${id}`)).status, 200, `${path} of ${id}`)
        }
        const unknown = yield* app.send("GET", `${path}?gateway=nobody`)
        assert.strictEqual(unknown.status, 404, path)
        assert.strictEqual(unknown.body.error, "unknown_gateway")
        // The primary is down, and no other gateway replaces it.
        assert.strictEqual((yield* app.send("GET", path)).status, 502, path)
      }
      const patch = { sessionKey: "agent:main:main", thinkingLevel: "high" }
      const patched = yield* app.send("POST", "/api/gateway/session-patch?gateway=other", patch)
      assert.deepInclude(patched.body, { ok: true, thinking: "high" })
      const info = yield* app.send("GET", "/api/gateway/session-info?gateway=one&sessionKey=agent:main:main")
      assert.notStrictEqual(info.body.thinking, "high")
    })
  )

  it.live("a wrong token, a device that waits and a place without a gateway are said in words", () =>
    Effect.gen(function* () {
      const app = yield* start
      const strict = yield* gatewayWith({ generation: "new", deviceApproval: "manual" })
      const other = yield* gatewayWith({ generation: "old" })
      yield* app.send("POST", "/api/gateways", inputFor(strict, "Strict"))
      yield* app.send("POST", "/api/gateways", { ...inputFor(other, "Wrong"), token: "not-it" })
      yield* app.send("POST", "/api/gateways", { name: "Nobody", url: "http://127.0.0.1:9", token: "t" })
      const waiting = yield* untilEntry(app, "strict", (entry) => entry.device === "pending")
      assert.include(waiting.reason, `openclaw devices approve ${waiting.requestId}`)
      const wrong = yield* untilState(app, "wrong", "refused")
      assert.strictEqual(wrong.reason, "The gateway refused the token: give the console that gateway's token.")
      const nobody = yield* untilState(app, "nobody", "unreachable")
      assert.match(nobody.reason, /^No gateway is listening at .*: start it, or correct its address/)
      yield* strict.control.approveDevices
      yield* untilState(app, "strict", "ok")
    })
  )

  it.live("a change of the address needs the token, and the old one goes nowhere else", () =>
    Effect.gen(function* () {
      const app = yield* start
      const one = yield* gatewayWith({ generation: "new" })
      const trap = yield* gatewayWith({ generation: "new", record: true })
      yield* app.send("POST", "/api/gateways", inputFor(one, "One"))
      yield* untilState(app, "one", "ok")
      const refused = yield* app.send("PATCH", "/api/gateways/one", { url: trap.url })
      assert.deepInclude(refused, { status: 400 })
      assert.match(refused.body.details, /token/)
      const moved = yield* app.send("PATCH", "/api/gateways/one", { url: trap.url, token: "guess" })
      assert.strictEqual(moved.status, 200)
      yield* untilState(app, "one", "refused")
      const seen = JSON.stringify([yield* trap.control.frames, yield* trap.control.requests])
      assert.include(seen, "guess")
      assert.notInclude(seen, Redacted.value(one.token))
      const named = yield* app.send("PATCH", "/api/gateways/one", { name: "Two" })
      assert.deepInclude(named.body, { id: "one", name: "Two" })
    })
  )

  it.live("bad input changes nothing", () =>
    Effect.gen(function* () {
      const app = yield* start
      const one = yield* gatewayWith({ generation: "new" })
      yield* app.send("POST", "/api/gateways", inputFor(one, "One"))
      const before = readFileSync(app.file, "utf8")
      for (const [body, status] of [
        [{ name: "X", url: "ftp://host", token: "t" }, 400],
        [{ name: "X", url: "not an address", token: "t" }, 400],
        [{ name: "X", url: "http://user:pw@host", token: "t" }, 400],
        [{ name: "", url: "http://host", token: "t" }, 400],
        [{ name: "X", url: "http://host" }, 400],
        [{ name: "X", url: "http://host", token: "t", id: "A b" }, 400],
        [{ name: "X", url: "http://host", token: "t", id: "one" }, 409],
        [{ name: "X", url: "http://host", token: "t", id: "primary" }, 409],
        [{ name: "X", url: one.url.replace("127.0.0.1", "localhost"), token: "t" }, 409],
        ["{", 400]
      ] as const) {
        const answer = yield* app.send("POST", "/api/gateways", body)
        assert.strictEqual(answer.status, status, JSON.stringify([body, answer.body]))
      }
      for (const method of ["PATCH", "DELETE"]) {
        const primary = yield* app.send(method, "/api/gateways/primary", method === "PATCH" ? { name: "x" } : undefined)
        assert.deepStrictEqual([primary.status, primary.body.error], [409, "primary_gateway"])
        const nobody = yield* app.send(method, "/api/gateways/nobody", method === "PATCH" ? { name: "x" } : undefined)
        assert.deepStrictEqual([nobody.status, nobody.body.error], [404, "unknown_gateway"])
      }
      assert.strictEqual(readFileSync(app.file, "utf8"), before)
      assert.deepStrictEqual((yield* app.send("DELETE", "/api/gateways/one")).body, { ok: true })
      assert.strictEqual(yield* entryOf(app, "one"), undefined)
    })
  )

  it.live("twenty at one moment are all kept, each once", () =>
    Effect.gen(function* () {
      const app = yield* start
      const answers = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => index),
        (index) =>
          app.send("POST", "/api/gateways", { name: "Same", url: `http://127.0.0.1:${20_000 + index}`, token: "t" }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        answers.map(() => 201)
      )
      assert.strictEqual(new Set(answers.map(({ body }) => body.id)).size, 20)
      assert.strictEqual(JSON.parse(readFileSync(app.file, "utf8")).length, 20)
    })
  )
})
