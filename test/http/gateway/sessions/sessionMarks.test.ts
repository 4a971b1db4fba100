import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, PubSub, Schedule, Schema } from "effect"
import { TestClock } from "effect/testing"
import { GatewayClient } from "../../../../src/services/gateway/client/GatewayClient.ts"
import { makeGatewayApp, makeJsonApp } from "../../../support/gatewayApp.ts"

const PATH = "/api/sessions/marks"
const KEY = "agent:main:x"
const NONE = { sessionKey: KEY, pinned: false, archivedAt: null, group: null, seenAt: 0 }

const Rows = Schema.Struct({ sessions: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)) })

const makeWorld = Effect.fnUntraced(function* (generation: "old" | "new") {
  const app = yield* makeGatewayApp({ generation })
  yield* app.client.request("sessions.create", { key: KEY }, Schema.Unknown)
  const mark = (change: object) => app.send("PATCH", PATH, { sessionKey: KEY, ...change })
  const kept = Effect.map(app.send("GET", PATH), ({ body }) => body.marks)
  const row = Effect.fnUntraced(function* (archived = false) {
    const params = generation === "old" ? {} : { archived }
    const { sessions } = yield* app.client.request("sessions.list", params, Rows)
    const found = sessions.find(({ key }) => key === KEY)
    return found && { pinned: found.pinned, archived: found.archived, category: found.category, unread: found.unread }
  })
  return { ...app, mark, kept, row }
})

describe("marks of sessions, with a gateway that has no place for them", () => {
  it.effect("are kept by the console, reported to every page, and not put into the gateway", () =>
    Effect.gen(function* () {
      const { events, kept, mark, row } = yield* makeWorld("old")
      const told = yield* events.subscribe
      const before = yield* row()
      assert.deepStrictEqual(yield* kept, [])
      const pinned = { ...NONE, pinned: true, group: "Work" }
      assert.deepStrictEqual(yield* mark({ pinned: true, group: "Work" }), { status: 200, body: pinned })
      yield* mark({ pinned: true })
      const away = { ...pinned, pinned: false, archivedAt: 500, seenAt: 400 }
      assert.deepStrictEqual((yield* mark({ archivedAt: 500, seenAt: 400 })).body, away)
      assert.deepStrictEqual(yield* kept, [away])
      assert.deepStrictEqual(yield* row(), before)
      const data = (yield* PubSub.takeUpTo(told, 50)).filter(({ event }) => event === "session.marked")
      assert.deepStrictEqual(
        data.map((event) => event.data),
        [pinned, away]
      )
    })
  )

  it.effect("are kept by the console, too, when the connection opens only while they are sent", () =>
    Effect.gen(function* () {
      const { client } = yield* makeGatewayApp({ generation: "old" })
      let isOpen = true
      const opening = GatewayClient.of({
        ...client,
        connection: Effect.suspend(() => (isOpen ? client.connection : Effect.succeed(undefined))),
        request: (...call) =>
          Effect.suspend(() => {
            isOpen = true
            return client.request(...call)
          })
      })
      const { send } = yield* makeJsonApp({
        gateway: Layer.succeed(GatewayClient, opening)
      })
      isOpen = false
      const change = { sessionKey: KEY, archivedAt: 500, seenAt: 400 }
      const body = { ...NONE, archivedAt: 500, seenAt: 400 }
      assert.deepStrictEqual(yield* send("PATCH", PATH, change), { status: 200, body })
      assert.isTrue(isOpen)
    })
  )

  it.effect("leave nothing behind when nothing is marked any more", () =>
    Effect.gen(function* () {
      const { kept, mark } = yield* makeWorld("old")
      yield* mark({ pinned: true })
      assert.deepStrictEqual((yield* mark({ pinned: false })).body, NONE)
      assert.deepStrictEqual(yield* kept, [])
    })
  )
})

describe("marks of sessions, with a gateway that keeps them", () => {
  it.effect("are put into the gateway's row, and the console keeps nothing", () =>
    Effect.gen(function* () {
      const { kept, mark, row } = yield* makeWorld("new")
      const held = { ...NONE, keptBy: "gateway" }
      const pinned = { ...held, pinned: true, group: "Work" }
      assert.deepStrictEqual(yield* mark({ pinned: true, group: "Work" }), { status: 200, body: pinned })
      assert.deepStrictEqual(yield* row(), { pinned: true, archived: false, category: "Work", unread: false })
      assert.deepStrictEqual((yield* mark({ seenAt: 7 })).body, { ...pinned, seenAt: 7 })
      const away = (yield* mark({ archivedAt: 500 })).body
      assert.deepInclude(away, { pinned: false, group: "Work", keptBy: "gateway" })
      assert.isNumber(away.archivedAt)
      assert.isUndefined(yield* row())
      assert.deepInclude(yield* row(true), { pinned: false, archived: true })
      assert.deepStrictEqual((yield* mark({ archivedAt: null, group: null })).body, held)
      assert.deepStrictEqual(yield* row(), { pinned: false, archived: false, category: undefined, unread: false })
      assert.deepStrictEqual(yield* kept, [])
    })
  )

  it.effect("say that a response was read", () =>
    Effect.gen(function* () {
      const { client, mark, row } = yield* makeWorld("new")
      yield* client.request("chat.send", { sessionKey: KEY, message: "hello", idempotencyKey: "one" }, Schema.Unknown)
      yield* client.request("agent.wait", { runId: "one", timeoutMs: 10_000 }, Schema.Unknown)
      assert.deepInclude(yield* row(), { unread: true })
      yield* mark({ seenAt: 500 })
      assert.deepInclude(yield* row(), { unread: false })
    })
  )

  it.effect("pin one that is archived by bringing it back, and pin no helper", () =>
    Effect.gen(function* () {
      const { mark, row, send } = yield* makeWorld("new")
      yield* mark({ archivedAt: 500 })
      yield* mark({ pinned: true })
      assert.deepInclude(yield* row(), { pinned: true, archived: false })
      const helper = yield* send("PATCH", PATH, { sessionKey: "agent:main:subagent:1", pinned: true })
      assert.strictEqual(helper.status, 400)
    })
  )

  it.effect("are undone by a message, in which the session comes back", () =>
    Effect.gen(function* () {
      const { mark, row, send } = yield* makeWorld("new")
      yield* mark({ archivedAt: 500 })
      const message = {
        id: "0f8fad5b-d9cb-469f-a165-70867728950e",
        sessionKey: KEY,
        text: "still there?",
        mode: "next"
      }
      assert.isBelow((yield* send("POST", "/api/outbox", message)).status, 300)
      const back = yield* row().pipe(
        Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (found) => found !== undefined }),
        TestClock.withLive
      )
      assert.deepInclude(back, { archived: false })
    })
  )
})

for (const generation of ["old", "new"] as const)
  describe(`the marks of a session, ${generation} generation`, () => {
    it.effect("go with the session", () =>
      Effect.gen(function* () {
        const { client, kept, mark } = yield* makeWorld(generation)
        yield* mark({ pinned: true, group: "Work", seenAt: 400 })
        yield* client.request("sessions.delete", { key: KEY }, Schema.Unknown)
        const left = yield* kept.pipe(
          Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: ({ length }) => length === 0 }),
          TestClock.withLive
        )
        assert.deepStrictEqual(left, [])
      })
    )

    it.effect("count as read up to the first request, the same for later requests", () =>
      Effect.gen(function* () {
        const { send } = yield* makeWorld(generation)
        yield* TestClock.setTime(7_000)
        const since = [{ gatewayId: "primary", at: 7_000 }]
        assert.deepStrictEqual((yield* send("GET", PATH)).body.seenSince, since)
        yield* TestClock.setTime(90_000)
        assert.deepStrictEqual((yield* send("GET", PATH)).body.seenSince, since)
      })
    )
  })

describe("a change of marks", () => {
  it.effect("is refused with a sentence when it says nothing or too much", () =>
    Effect.gen(function* () {
      const { send } = yield* makeJsonApp()
      for (const [change, what] of [
        [{ sessionKey: KEY }, /pinned, archivedAt, group or seenAt is required/],
        [{ pinned: true }, /sessionKey/],
        [{ sessionKey: KEY, group: "x".repeat(61) }, /1 to 60 characters/],
        [{ sessionKey: KEY, archivedAt: "now" }, /epoch milliseconds/],
        [{ sessionKey: KEY, pinned: 1 }, /true or false/]
      ] as const) {
        const { body, status } = yield* send("PATCH", PATH, change)
        assert.strictEqual(status, 400)
        assert.match(body.details, what)
      }
    })
  )

  it.effect("names a gateway that is there and can be reached", () =>
    Effect.gen(function* () {
      const { send } = yield* makeJsonApp()
      assert.strictEqual((yield* send("PATCH", PATH, { sessionKey: "@gone:x", pinned: true })).status, 404)
      const away = yield* send("PATCH", PATH, { sessionKey: KEY, pinned: true })
      assert.strictEqual(away.status, 502)
      assert.isNotEmpty(away.body.details)
    })
  )
})
