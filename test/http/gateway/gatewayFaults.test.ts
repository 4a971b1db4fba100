import { randomUUID } from "node:crypto"
import { readdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import { practiceGateway } from "../../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../../practice-gateway/src/EmbeddedGateway.ts"
import { eventually } from "../../support/consoleLife.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { makeJsonApp } from "../../support/gatewayApp.ts"
import { lyingGateway } from "../../support/lyingGateway.ts"

const gatewayOf = (generation: "new" | "old") =>
  Effect.flatMap(Layer.build(practiceGateway({ tokenMs: 0, seed: false, generation })), (context) =>
    Effect.provide(EmbeddedGateway, context)
  )

const Entries = Schema.Struct({
  gateways: Schema.Array(Schema.Struct({ id: Schema.String, state: Schema.String, since: Schema.Finite }))
})
const decode = Schema.decodeUnknownSync(Entries)

const makeConsole = Effect.fnUntraced(function* (svcHome?: string) {
  const app = yield* makeJsonApp({ settings: { svcHome: svcHome ?? (yield* temporaryFolder) } })
  const states = Effect.map(app.send("GET", "/api/gateways"), ({ body }) => {
    const { gateways } = decode(body)
    return new Map(gateways.map(({ id, ...state }) => [id, state]))
  })
  const until = (id: string, state: string) => eventually(states, (all) => all.get(id)?.state === state)
  const add = (name: string, { token, url }: EmbeddedGateway["Service"]) =>
    app.send("POST", "/api/gateways", { name, url, token: Redacted.value(token) })
  return { ...app, states, until, add }
})

/** Accepts connections and never says a word. */
const silentServer = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
    const server = createServer((socket) => socket.on("error", () => undefined))
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ port, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

describe("a gateway that misbehaves", () => {
  it.live("hangs, floods or loses its connections, and the others go on as if nothing was", () =>
    Effect.gen(function* () {
      const { add, send, states, until } = yield* makeConsole()
      const good = yield* gatewayOf("old")
      const bad = yield* gatewayOf("new")
      const { port } = yield* silentServer
      yield* add("Good", good)
      yield* add("Bad", bad)
      yield* send("POST", "/api/gateways", { name: "Silent", url: `http://127.0.0.1:${port}`, token: "t" })
      yield* until("good", "ok")
      yield* until("bad", "ok")
      const before = (yield* states).get("good")
      const asks = Effect.map(send("GET", "/api/skills?gateway=good"), ({ status }) => assert.strictEqual(status, 200))
      yield* Effect.all([bad.control.flood({ frames: 2000, bytes: 10_000 }), asks], { concurrency: "unbounded" })
      yield* bad.control.setResponding(false)
      yield* asks
      yield* bad.control.dropConnections
      yield* asks
      assert.deepStrictEqual((yield* states).get("good"), before)
      assert.strictEqual((yield* states).get("silent")?.state, "connecting")
    })
  )

  it.live("lies about its version: what it then can't do fails in a sentence, and the others go on", () =>
    Effect.gen(function* () {
      const { add, send, until } = yield* makeConsole()
      const good = yield* gatewayOf("new")
      yield* add("Good", good)
      yield* until("good", "ok")
      const claims = [
        { id: "newer", generation: "old", protocol: 4, version: "2099.1.1" },
        { id: "older", generation: "new", protocol: 3, version: "2020.1.1" },
        { id: "odd", generation: "new", protocol: 4, version: `<script>${"9".repeat(5_000)}` }
      ] as const
      for (const { generation, id, ...claim } of claims) {
        const { token, wsUrl } = yield* gatewayOf(generation)
        const url = yield* lyingGateway(wsUrl, claim)
        yield* send("POST", "/api/gateways", { id, name: id, url, token: Redacted.value(token) })
        yield* until(id, "ok")
        const message = { id: randomUUID(), gatewayId: id, sessionKey: "agent:main:lie", text: "say it", mode: "next" }
        assert.strictEqual((yield* send("POST", "/api/outbox", message)).status, 201)
        yield* eventually(send("GET", `/api/outbox?gateway=${id}`), ({ body }) => body.items.length === 0)
        assert.strictEqual((yield* send("GET", `/api/crons?gateway=${id}`)).status, 200)
        assert.strictEqual((yield* send("GET", "/api/skills?gateway=good")).status, 200)
      }
      const { body } = yield* send("GET", "/api/gateways")
      for (const { version = "" } of body.gateways) assert.isAtMost(version.length, 64)
    })
  )

  it.live("has the same session keys as another, and each answers for its own", () =>
    Effect.gen(function* () {
      const { add, send, until } = yield* makeConsole()
      const one = yield* gatewayOf("new")
      const other = yield* gatewayOf("old")
      yield* add("One", one)
      yield* add("Other", other)
      yield* until("one", "ok")
      yield* until("other", "ok")
      const key = "agent:main:shared"
      const set = (id: string, thinkingLevel: string) =>
        send("POST", `/api/gateway/session-patch?gateway=${id}`, { sessionKey: key, thinkingLevel })
      yield* set("one", "high")
      yield* set("other", "off")
      const info = (id: string) =>
        Effect.map(
          send("GET", `/api/gateway/session-info?gateway=${id}&sessionKey=${key}`),
          ({ body }) => body.thinking
        )
      assert.deepStrictEqual([yield* info("one"), yield* info("other")], ["high", "off"])
    })
  )

  it.live("fifteen of twenty are away at the start: the console answers at once, and the other five are there", () =>
    Effect.gen(function* () {
      const svcHome = yield* temporaryFolder
      const here = yield* Effect.forEach([0, 1, 2, 3, 4], (index) => gatewayOf(index % 2 === 0 ? "new" : "old"))
      const entries = Array.from({ length: 20 }, (_, index) => {
        const gateway = here[index]
        const away = { url: `http://127.0.0.1:${index + 1}`, token: "t" }
        const place = gateway === undefined ? away : { url: gateway.url, token: Redacted.value(gateway.token) }
        return { id: `g${index}`, name: `Gateway ${index}`, ...place }
      })
      writeFileSync(`${svcHome}/gateways.json`, JSON.stringify(entries), { mode: 0o600 })
      const { send, states, until } = yield* makeConsole(svcHome)
      assert.strictEqual((yield* send("GET", "/health")).status, 200)
      for (let index = 0; index < 20; index += 1) yield* until(`g${index}`, index < 5 ? "ok" : "unreachable")
      assert.strictEqual((yield* states).size, 21)
    })
  )

  it.live("a damaged list is set aside, and the console starts with its primary gateway", () =>
    Effect.gen(function* () {
      const svcHome = yield* temporaryFolder
      writeFileSync(`${svcHome}/gateways.json`, '[{"id": "half')
      const { add, states, until } = yield* makeConsole(svcHome)
      assert.deepStrictEqual([...(yield* states).keys()], ["primary"])
      assert.isTrue(readdirSync(svcHome).some((name) => name.startsWith("gateways.json.damaged-")))
      yield* add("Again", yield* gatewayOf("new"))
      yield* until("again", "ok")
    })
  )
})
