import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { GatewayClient } from "../../../src/services/gateway/client/GatewayClient.ts"
import { listen } from "../../support/listen.ts"
import { connectedGateway, openSessions } from "../../support/liveSessions.ts"
import { greetedLive, HELLO } from "../../support/liveSockets.ts"

const MAIN = "agent:main:main"
const KEY = "agent:main:one"

const Answer = Schema.Struct({ status: Schema.Int, body: Schema.Record(Schema.String, Schema.Unknown) })
const decodeAnswer = Schema.decodeUnknownSync(Answer)
const Call = Schema.fromJsonString(Schema.Struct({ method: Schema.String, params: Schema.Unknown }))
const decodeCall = Schema.decodeUnknownSync(Call)

/** A console with a practice gateway. */
const makeWorld = Effect.fnUntraced(function* (generation: "old" | "new", settings: Parameters<typeof listen>[0] = {}) {
  const { gateway, layer } = yield* connectedGateway({ generation, tokenMs: 20 })
  const client = Context.get(yield* Layer.build(layer), GatewayClient)
  const console = yield* Effect.provide(
    listen({ gatewayUrl: gateway.url, gatewayToken: gateway.token, development: true, ...settings }, layer),
    NodeServices.layer
  )
  const send = (method: string, path: string, body?: object) =>
    Effect.promise(() =>
      fetch(`${console.base}${path}`, {
        method,
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      }).then(async (answer) => decodeAnswer({ status: answer.status, body: await answer.json() }))
    )
  const say = (sessionKey: string, message: string) =>
    client.request("chat.send", { sessionKey, message, idempotencyKey: `${sessionKey} ${message}` }, Schema.Unknown)
  const listCalls = Effect.map(gateway.control.frames, (frames) =>
    frames.map(({ text }) => decodeCall(text)).filter(({ method }) => method === "sessions.list")
  )
  return { ...console, gateway, client, send, say, listCalls }
})

for (const generation of ["old", "new"] as const)
  describe(`the topic sessions, ${generation} generation`, () => {
    it.live("has the main session, and every other from its first message to its seen end", () =>
      Effect.gen(function* () {
        const { ports, say } = yield* makeWorld(generation)
        const live = yield* greetedLive(ports.http)
        const list = yield* openSessions(live, 1)
        yield* list.until(({ head }) => head.gateways.primary?.state === "ready")
        assert.deepInclude(list.row(MAIN), { kind: "main", gatewayId: "primary", state: "idle", agentId: "main" })
        yield* say(KEY, "Count the tulips in the greenhouse")
        yield* list.until(() => list.row(KEY)?.running === true)
        assert.deepInclude(list.row(KEY), { state: "working", kind: "direct", unread: false })
        yield* list.until(({ head }) => head.unread === 1)
        yield* list.until(() => list.row(KEY)?.title !== undefined && list.row(KEY)?.preview !== undefined)
        const row = list.row(KEY)
        assert.deepInclude(row, { state: "unread", unread: true, running: false, failed: false, archived: false })
        assert.strictEqual(row?.title, "Count the tulips in the greenhouse")
        for (const time of [row?.startedAt, row?.endedAt, row?.updatedAt]) assert.isNumber(time)
        assert.isNotEmpty(row?.model)
        yield* live.send({ t: "look", key: KEY })
        yield* list.until(({ head }) => head.unread === 0)
        assert.deepInclude(list.row(KEY), { state: "idle", unread: false })
        // What ends while someone looks at it isn't news.
        yield* say(KEY, "Now the roses")
        yield* list.until(() => list.row(KEY)?.running === true)
        yield* list.until(() => list.row(KEY)?.running === false)
        assert.strictEqual(list.state().head.unread, 0)
      })
    )

    it.live("reads the gateway's list once for all that use it", () =>
      Effect.gen(function* () {
        const { listCalls, ports } = yield* makeWorld(generation)
        const live = yield* greetedLive(ports.http)
        for (const c of [1, 2, 3]) {
          const list = yield* openSessions(live, c)
          yield* list.until(({ head }) => head.gateways.primary?.state === "ready")
        }
        assert.deepStrictEqual(
          (yield* listCalls).map(({ params }) => params),
          [{ limit: 500, includeDerivedTitles: true, includeLastMessage: true }]
        )
      })
    )

    it.live("shows so many as a channel wants, and those of one gateway, and follows what a channel changes", () =>
      Effect.gen(function* () {
        const { client, ports, send } = yield* makeWorld(generation)
        for (let number = 0; number < 6; number += 1)
          yield* client.request("sessions.create", { key: `agent:main:s${number}` }, Schema.Unknown)
        const live = yield* greetedLive(ports.http)
        const list = yield* openSessions(live, 1, { limit: 2 })
        yield* list.until(({ head, items }) => head.gateways.primary?.state === "ready" && items.length === 3)
        assert.isTrue(list.state().head.more)
        const shown = () => list.state().items.map(({ key }) => key)
        assert.includeMembers([...shown()], [MAIN])
        // One that is pinned or looked at is in it, however old it is.
        yield* send("PATCH", "/api/sessions", { sessionKey: "agent:main:s0", pinned: true })
        yield* list.until(() => list.row("agent:main:s0")?.pinned === true)
        yield* live.send({ t: "look", key: "agent:main:s1" })
        yield* list.until(() => list.row("agent:main:s1") !== undefined)
        yield* live.send({ t: "look", key: null })
        yield* list.until(() => list.row("agent:main:s1") === undefined)
        yield* live.send({ t: "set", c: 1, limit: 50 })
        yield* list.until(({ items }) => items.length === 7)
        assert.isFalse(list.state().head.more)
        yield* send("PATCH", "/api/sessions", { sessionKey: "agent:main:s2", archived: true })
        yield* list.until(() => list.row("agent:main:s2") === undefined)
        yield* live.send({ t: "set", c: 1, archived: true })
        yield* list.until(({ items }) => items.length === 1)
        assert.deepInclude(list.row("agent:main:s2"), { archived: true, pinned: false })
        yield* live.send({ t: "open", c: 2, topic: "sessions", gateway: "none" })
        assert.deepInclude(yield* live.nextOf("gone"), { c: 2, why: { code: "UNKNOWN_GATEWAY" } })
        yield* send("DELETE", "/api/sessions?sessionKey=agent:main:s2")
        yield* list.until(({ items }) => items.length === 0)
      })
    )

    it.live("tells who comes back and finds the same that it's the same", () =>
      Effect.gen(function* () {
        const { ports, send } = yield* makeWorld(generation)
        const live = yield* greetedLive(ports.http)
        const list = yield* openSessions(live, 1)
        yield* list.until(({ head }) => head.gateways.primary?.state === "ready")
        const have = list.named()
        yield* live.send({ t: "close", c: 1 })
        const again = yield* greetedLive(ports.http)
        yield* again.send({ t: "open", c: 5, topic: "sessions", have })
        assert.deepStrictEqual(yield* again.next, { t: "same", c: 5, ...have })
        yield* send("PATCH", "/api/sessions", { sessionKey: MAIN, group: "Work" })
        assert.deepInclude(yield* again.nextOf("patch"), { c: 5, s: have.s + 1 })
        yield* again.send({ t: "open", c: 6, topic: "sessions", have })
        assert.deepInclude(yield* again.nextOf("snapshot"), { c: 6 })
      })
    )
  })

describe("the topic sessions", () => {
  it.live("ends a socket whose parameters have another type", () =>
    Effect.gen(function* () {
      const { ports } = yield* makeWorld("new")
      for (const wrong of [{ limit: "5" }, { limit: 0 }, { limit: 1.5 }, { archived: 1 }, { gateway: 1 }]) {
        const live = yield* greetedLive(ports.http)
        yield* live.send({ t: "open", c: 1, topic: "sessions", ...wrong })
        assert.strictEqual((yield* live.ended).code, 4400)
      }
      const live = yield* greetedLive(ports.http)
      yield* live.send({ t: "set", c: 9, limit: 5 })
      yield* live.send({ t: "open", c: 1, topic: "sessions", limit: 90_000, another: 1 })
      assert.deepInclude(yield* live.next, { t: "snapshot", c: 1 })
    })
  )

  it.live("says which gateway can't be read and why, and ends with a gateway that is removed", () =>
    Effect.gen(function* () {
      const { ports, send } = yield* makeWorld("new")
      const away = { id: "b", name: "Away", url: "http://127.0.0.1:1", token: "t" }
      yield* send("POST", "/api/gateways", away)
      const live = yield* greetedLive(ports.http)
      const list = yield* openSessions(live, 1)
      yield* list.until(({ head }) => head.gateways.b?.state === "failed")
      assert.deepInclude(list.state().head.gateways.b?.why, { code: "NOTHING_LISTENING" })
      const other = yield* greetedLive(ports.http)
      yield* openSessions(other, 2, { gateway: "b" })
      yield* send("DELETE", "/api/gateways/b")
      assert.deepInclude(yield* other.nextOf("gone"), { c: 2, why: { code: "GATEWAY_REMOVED" } })
      yield* list.until(({ head }) => head.gateways.b === undefined)
    })
  )

  it.live("leaves out the gateways whose token a client doesn't have", () =>
    Effect.gen(function* () {
      const { gateway, ports, send } = yield* makeWorld("new")
      yield* send("POST", "/api/gateways", { id: "b", name: "B", url: "http://127.0.0.1:1", token: "second" })
      const headers = { "x-forwarded-for": "8.8.8.8" }
      const none = yield* greetedLive(ports.http, { headers })
      yield* none.send({ t: "open", c: 1, topic: "sessions" })
      assert.deepStrictEqual(yield* none.next, { t: "gone", c: 1, why: { code: "NOT_TRUSTED" } })
      const hello = { ...HELLO, gatewayToken: Redacted.value(gateway.token) }
      const live = yield* greetedLive(ports.http, { headers }, hello)
      const list = yield* openSessions(live, 1)
      assert.deepStrictEqual(Object.keys(list.state().head.gateways), ["primary"])
      yield* live.send({ t: "open", c: 2, topic: "sessions", gateway: "b" })
      assert.deepInclude(yield* live.nextOf("gone"), { c: 2, why: { code: "NOT_TRUSTED" } })
    })
  )
})
