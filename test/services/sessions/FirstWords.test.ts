import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Layer } from "effect"
import { GatewayClient } from "../../../src/services/gateway/client/GatewayClient.ts"
import type { ListedSession } from "../../../src/services/gateway/sessions/listedSession.ts"
import { makeFirstWords } from "../../../src/services/sessions/FirstWords.ts"
import { makeAnsweringGateway } from "../../support/answeringGateway.ts"

const key = (index: number) => `agent:main:dashboard:${index}`
/** A session that was used. */
const row = (index: number, change: Partial<ListedSession> = {}): ListedSession => ({
  key: key(index),
  sessionId: `s${index}`,
  status: "done",
  updatedAt: 10_000 - index,
  ...change
})
const asked = (text: string, seq: number, more: object = {}) => ({
  role: "user",
  content: [{ type: "text", text }],
  __openclaw: { id: `m${seq}`, seq },
  ...more
})
const answered = (seq: number) => ({
  role: "assistant",
  content: [{ type: "text", text: "echo" }],
  __openclaw: { id: `m${seq}`, seq }
})

/** What looks up the first words at a gateway with these histories, by the keys of their sessions. */
const makeWorld = Effect.fnUntraced(function* (histories: Map<string, ReadonlyArray<object>>, protocol = 3) {
  const held = new Set<string>()
  const open = yield* Deferred.make<void>()
  const gateway = yield* makeAnsweringGateway(
    ({ params }) => {
      const { limit = 200, offset = 0, sessionKey } = { limit: undefined, offset: undefined, sessionKey: "", ...params }
      const all = histories.get(sessionKey) ?? []
      const end = all.length - Number(offset)
      const messages = all.slice(Math.max(0, end - Number(limit)), end)
      const answer =
        protocol < 4 ? { messages } : { messages, hasMore: end > messages.length, totalMessages: all.length }
      return held.has(sessionKey) ? Effect.as(Deferred.await(open), answer) : Effect.succeed(answer)
    },
    { protocol, version: "1", scopes: [], methods: new Set() }
  )
  const client = Context.get(yield* Layer.build(gateway.layer), GatewayClient)
  const titles = new Map<string, string>()
  const name = (gatewayId: string, id: string) => `${gatewayId} ${id}`
  const kept = {
    get: (gatewayId: string, id: string) => titles.get(name(gatewayId, id)),
    set: (gatewayId: string, id: string, title: string) => void titles.set(name(gatewayId, id), title),
    remove: (gatewayId: string, id: string) => void titles.delete(name(gatewayId, id))
  }
  const found: Array<string> = []
  const words = yield* makeFirstWords("primary", client, kept, (sessionKey) => found.push(sessionKey))
  const calls = () => gateway.calls.map(({ params }) => ("sessionKey" in params ? String(params.sessionKey) : "?"))
  /** Looks these up, and waits until nothing is left to do. */
  const want = Effect.fnUntraced(function* (...rows: ReadonlyArray<ListedSession>) {
    words.want(rows)
    for (let count = -1; count !== gateway.calls.length; ) {
      count = gateway.calls.length
      for (let turn = 0; turn < 200; turn++) yield* Effect.yieldNow
    }
  })
  return { words, want, found, histories: calls, held, open: Deferred.succeed(open, undefined) }
})

describe("the title of a session that its gateway gives none", () => {
  it.effect("is the first thing the person wrote, and is asked for once", () =>
    Effect.gen(function* () {
      const { found, histories, want, words } = yield* makeWorld(
        new Map([[key(1), [asked("Plan a trip", 1), answered(2), asked("And now?", 3)]]])
      )
      yield* want(row(1))
      assert.strictEqual(words.get("s1"), "Plan a trip")
      yield* want(row(1, { updatedAt: 20_000 }))
      assert.deepStrictEqual([found, histories()], [[key(1)], [key(1)]])
    })
  )

  it.effect("passes over what no person wrote", () =>
    Effect.gen(function* () {
      const { want, words } = yield* makeWorld(
        new Map([
          [
            key(1),
            [
              asked("A new session was started via /new or /reset. Run your Session Startup sequence", 1),
              answered(2),
              asked("/status", 3),
              asked("Result of a helper", 4, { provenance: { kind: "inter_session" } }),
              asked(
                "System: [2026-11-22 14:06:49 UTC] Model switched to mock/x.\n\n\n[Sun 2026-11-22 14:06 UTC] Real words",
                5
              )
            ]
          ]
        ])
      )
      yield* want(row(1))
      assert.strictEqual(words.get("s1"), "Real words")
    })
  )

  it.effect.each([3, 4])("is found at the beginning of a long session (protocol %i)", (protocol) =>
    Effect.gen(function* () {
      const turns = Array.from({ length: 120 }, (_, at) => [asked(`Question ${at}`, 2 * at + 1), answered(2 * at + 2)])
      const { histories, want, words } = yield* makeWorld(new Map([[key(1), turns.flat()]]), protocol)
      yield* want(row(1))
      assert.strictEqual(words.get("s1"), "Question 0")
      assert.lengthOf(histories(), 2)
    })
  )

  it.effect("is heard as it is sent, long before the history has it", () =>
    Effect.gen(function* () {
      const histories = new Map<string, ReadonlyArray<object>>()
      const { want, words } = yield* makeWorld(histories)
      words.hear("s1", { role: "user", content: "Plan a trip", __openclaw: { seq: 1 } })
      assert.strictEqual(words.get("s1"), "Plan a trip")
      words.hear("s1", { role: "user", content: "And now?" })
      assert.strictEqual(words.get("s1"), "Plan a trip")
      histories.set(key(1), [asked("Plan a trip, please", 1), answered(2)])
      yield* want(row(1))
      assert.strictEqual(words.get("s1"), "Plan a trip, please", "the history has it whole")
    })
  )

  it.effect("is looked up while a later run is going on, too, but not with every change of its row", () =>
    Effect.gen(function* () {
      const { histories, want, words } = yield* makeWorld(new Map([[key(1), [asked("Plan a trip", 1)]]]))
      const running = { status: "running", startedAt: 5 }
      yield* want(row(1, running), row(2, running))
      assert.strictEqual(words.get("s1"), "Plan a trip")
      for (const updatedAt of [20_000, 20_001]) yield* want(row(2, { ...running, updatedAt }))
      assert.deepStrictEqual(histories(), [key(1), key(2)])
      yield* want(row(2, { updatedAt: 30_000 }))
      assert.lengthOf(histories(), 3, "the session went on")
    })
  )

  it.effect("is looked up for sixty at a time, and the next ones afterwards", () =>
    Effect.gen(function* () {
      const { histories, want, words } = yield* makeWorld(
        new Map(Array.from({ length: 100 }, (_, at) => [key(at), [asked(`Words ${at}`, 1)]]))
      )
      const all = Array.from({ length: 100 }, (_, at) => row(at))
      yield* want(...all)
      assert.lengthOf(histories(), 60)
      assert.deepStrictEqual([words.get("s59"), words.get("s60")], ["Words 59", undefined])
      yield* want(...all)
      assert.strictEqual(words.get("s99"), "Words 99")
      assert.lengthOf(histories(), 100)
    })
  )

  it.effect("waits for a gateway that does not answer, without holding up the list", () =>
    Effect.gen(function* () {
      const { held, open, want, words } = yield* makeWorld(new Map([[key(1), [asked("Plan a trip", 1)]]]))
      held.add(key(1))
      yield* want(row(1))
      assert.isUndefined(words.get("s1"))
      yield* open
      yield* want()
      assert.strictEqual(words.get("s1"), "Plan a trip")
    })
  )

  it.effect("begins anew when the session was emptied", () =>
    Effect.gen(function* () {
      const histories = new Map<string, ReadonlyArray<object>>([[key(1), [asked("Plan a trip", 1)]]])
      const { want, words } = yield* makeWorld(histories, 4)
      yield* want(row(1))
      histories.clear()
      words.forget("s1")
      assert.isUndefined(words.get("s1"))
      histories.set(key(1), [asked("Something else", 1)])
      yield* want(row(1))
      assert.strictEqual(words.get("s1"), "Something else")
    })
  )
})
