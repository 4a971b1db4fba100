import { assert, describe, it } from "@effect/vitest"
import { Effect, PubSub, Schedule, Schema } from "effect"
import { TestClock } from "effect/testing"
import { MAX_MESSAGE } from "../../../../src/contract/outbox.ts"
import { MAX_DRAFTS } from "../../../../src/services/drafts/draftStore.ts"
import { temporaryFolder } from "../../../support/fileServices.ts"
import { makeGatewayApp, makeJsonApp } from "../../../support/gatewayApp.ts"

const KEY = "agent:main:draft"

const makeWorld = Effect.fnUntraced(function* (settings: { readonly svcHome?: string } = {}) {
  const app = yield* makeJsonApp({ settings })
  yield* TestClock.setTime(1_000)
  const put = (text: string, more: object = {}) =>
    // Each a moment later, so that none meets a limit on how often it may be asked.
    Effect.andThen(TestClock.adjust("2 seconds"), app.send("PUT", "/api/drafts", { sessionKey: KEY, text, ...more }))
  const get = (sessionKey = KEY) =>
    Effect.map(app.send("GET", `/api/drafts?sessionKey=${sessionKey}`), ({ body }) => body)
  return { ...app, put, get }
})

describe("a draft", () => {
  it.effect("is null until something is written; the last writer wins, and an empty text removes it", () =>
    Effect.gen(function* () {
      const { get, put } = yield* makeWorld()
      assert.deepStrictEqual(yield* get(), { draft: null })
      assert.deepStrictEqual((yield* put("from the desk", { deviceId: "desk" })).body, { updatedAt: 3_000 })
      yield* put("from the phone", { deviceId: "phone" })
      const draft = { sessionKey: KEY, text: "from the phone", updatedAt: 5_000, deviceId: "phone" }
      assert.deepStrictEqual(yield* get(), { draft, updatedAt: 5_000 })
      assert.deepStrictEqual(yield* get("agent:main:other"), { draft: null })
      yield* put("")
      assert.deepStrictEqual(yield* get(), { draft: null, updatedAt: 7_000 })
    })
  )

  it.effect("survives the console's end", () =>
    Effect.gen(function* () {
      const svcHome = yield* temporaryFolder
      yield* Effect.scoped(Effect.flatMap(makeWorld({ svcHome }), ({ put }) => put("kept")))
      const { get } = yield* makeWorld({ svcHome })
      assert.strictEqual((yield* get()).draft.text, "kept")
    })
  )

  it.effect("is announced once for each change, with a time that only grows, whatever the clock does", () =>
    Effect.gen(function* () {
      const { events, put } = yield* makeWorld()
      const told = yield* events.subscribe
      yield* put("one")
      yield* put("one", { deviceId: "other" })
      yield* TestClock.setTime(0)
      yield* put("two")
      yield* put("")
      const data = (yield* PubSub.takeUpTo(told, 10)).map((event) => [event.event, event.data])
      assert.deepStrictEqual(data, [
        ["draft.changed", { sessionKey: KEY, updatedAt: 3_000 }],
        ["draft.changed", { sessionKey: KEY, updatedAt: 3_001 }],
        ["draft.changed", { sessionKey: KEY, updatedAt: 4_000 }]
      ])
    })
  )

  it.effect("isn't undone by a write that its own device has overtaken; one of another device counts", () =>
    Effect.gen(function* () {
      const { get, put } = yield* makeWorld()
      yield* put("word by w", { deviceId: "desk", count: 1 })
      yield* put("", { deviceId: "desk", count: 3 })
      const late = yield* put("word by word", { deviceId: "desk", count: 2 })
      assert.deepStrictEqual(late.body, { updatedAt: 5_000 })
      assert.deepStrictEqual(yield* get(), { draft: null, updatedAt: 5_000 })
      yield* put("from the phone", { deviceId: "phone", count: 0 })
      assert.strictEqual((yield* get()).draft.text, "from the phone")
      yield* put("without a count", { deviceId: "phone" })
      assert.strictEqual((yield* get()).draft.text, "without a count")
    })
  )

  it.effect("has as many characters as a message, and is refused with a sentence otherwise", () =>
    Effect.gen(function* () {
      const { get, put, send } = yield* makeWorld()
      const long = "\u0001".repeat(MAX_MESSAGE)
      assert.strictEqual((yield* put(long)).status, 200)
      const over = yield* put(`${long}x`)
      assert.strictEqual(over.status, 400)
      assert.include(over.body.details, "text: must be at most 200000 characters")
      assert.strictEqual((yield* put("x".repeat(4_000_000))).status, 413)
      assert.strictEqual((yield* get()).draft.text, long)
      assert.strictEqual((yield* send("GET", "/api/drafts")).status, 400)
      assert.strictEqual((yield* send("GET", "/api/drafts?sessionKey=")).status, 400)
      assert.strictEqual((yield* send("PUT", "/api/drafts", { sessionKey: KEY })).status, 400)
      assert.strictEqual((yield* send("PUT", "/api/drafts", { sessionKey: " ", text: "x" })).status, 400)
      assert.strictEqual((yield* send("PUT", "/api/drafts", { sessionKey: KEY, text: "x", deviceId: "" })).status, 400)
    })
  )

  it.effect("is forgotten when too many, or too large ones, were written since", () =>
    Effect.gen(function* () {
      const { get, put, sqlite } = yield* makeWorld()
      const count = sqlite.read((db) => db.all("SELECT session_key FROM drafts").length)
      for (let session = 0; session <= MAX_DRAFTS; session += 1)
        yield* put("x", { sessionKey: `agent:main:${session}` })
      assert.deepStrictEqual(yield* get("agent:main:0"), { draft: null })
      assert.strictEqual((yield* get("agent:main:1")).draft.text, "x")
      assert.strictEqual(yield* count, MAX_DRAFTS)
      // Four bytes each: 25 of them have 20 MB.
      for (let session = 0; session < 26; session += 1)
        yield* put("🙂".repeat(MAX_MESSAGE), { sessionKey: `agent:main:large-${session}` })
      assert.deepStrictEqual(yield* get("agent:main:large-0"), { draft: null })
      assert.strictEqual((yield* get("agent:main:large-1")).draft.text.length, 2 * MAX_MESSAGE)
      assert.strictEqual(yield* count, 25)
    })
  )
})

describe("the draft of a session that was deleted", () => {
  it.live("goes away with it, and no other", () =>
    Effect.gen(function* () {
      const { client, send, sqlite } = yield* makeGatewayApp({ generation: "new" })
      const other = "agent:main:stays"
      for (const sessionKey of [KEY, other])
        yield* client.request("sessions.create", { key: sessionKey }, Schema.Unknown)
      for (const sessionKey of [KEY, other]) yield* send("PUT", "/api/drafts", { sessionKey, text: "begun" })
      yield* client.request("sessions.delete", { key: KEY }, Schema.Unknown)
      const keys = yield* sqlite
        .read((db) => db.rows("SELECT session_key FROM drafts"))
        .pipe(Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: ({ length }) => length < 2 }))
      assert.deepStrictEqual(keys, [[other]])
    })
  )
})
