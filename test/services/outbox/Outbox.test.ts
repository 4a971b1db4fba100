import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { GatewayError } from "../../../src/services/gateway/client/GatewayError.ts"
import { failures, makeAnsweringGateway } from "../../support/answeringGateway.ts"
import { makeJsonApp } from "../../support/gatewayApp.ts"

const KEY = "agent:main:outbox"
const NEWER = { protocol: 4, version: "2026.9.6", scopes: [], methods: new Set<string>() }
const OLDER = { ...NEWER, protocol: 3 }

/** A console whose gateway answers what was sent as the test says. */
const makeWorld = Effect.fnUntraced(function* (
  onSend: Effect.Effect<unknown, GatewayError>,
  history: (params: object) => unknown = () => ({ messages: [] }),
  connection = NEWER
) {
  const gateway = yield* makeAnsweringGateway(
    ({ method, params }) => {
      if (method === "chat.send") return onSend
      if (method === "chat.history") return Effect.sync(() => history(params))
      return Effect.fail(failures.missingScope)
    },
    connection,
    1
  )
  const app = yield* makeJsonApp({ gateway: gateway.layer })
  const post = (text: string, more: object = {}) =>
    app.send("POST", "/api/outbox", { id: randomUUID(), sessionKey: KEY, text, mode: "next", ...more })
  const items = Effect.map(app.send("GET", `/api/outbox?sessionKey=${KEY}`), ({ body }) => body.items)
  const sent = () => gateway.calls.flatMap(({ method, params }) => (method === "chat.send" ? [params] : []))
  const texts = () => sent().map((params) => ("message" in params ? params.message : undefined))
  return { ...app, gateway, post, items, sent, texts }
})

const STARTED = Effect.succeed({ status: "started" })
/** So late that the gateway no longer remembers the id. */
const LOST = Effect.delay(Effect.fail(failures.unreachable), "10 minutes")
/** Everything that's due now has happened. */
const settled = TestClock.adjust("10 millis")

describe("a message that waits for a time", () => {
  it.effect("goes then by the console's clock, wherever that jumps meanwhile", () =>
    Effect.gen(function* () {
      const { post, texts } = yield* makeWorld(STARTED)
      yield* TestClock.setTime(1_000_000)
      yield* post("in an hour", { notBefore: 1_000_000 + 3_600_000 })
      yield* TestClock.adjust("59 minutes")
      assert.deepStrictEqual(texts(), [])
      yield* TestClock.setTime(500_000)
      yield* TestClock.adjust("59 minutes")
      assert.deepStrictEqual(texts(), [])
      yield* TestClock.setTime(1_000_000 + 3_600_000)
      yield* TestClock.adjust("31 seconds")
      yield* settled
      assert.deepStrictEqual(texts(), ["in an hour"])
    })
  )
})

describe("an answer that was lost", () => {
  it.effect("is looked up in the history: a message in it isn't sent again", () =>
    Effect.gen(function* () {
      let id = ""
      const { items, post, texts } = yield* makeWorld(LOST, () => ({
        messages: [{ role: "user", content: "once", idempotencyKey: `${id}:user` }]
      }))
      id = randomUUID()
      yield* post("once", { id })
      yield* TestClock.adjust("11 minutes")
      assert.deepStrictEqual(texts(), ["once"])
      assert.deepStrictEqual(yield* items, [])
    })
  )

  it.effect("is looked up again when the history couldn't be read, without a new connection", () =>
    Effect.gen(function* () {
      let asked = 0
      const { items, post, texts } = yield* makeWorld(LOST, () => {
        asked += 1
        // Nothing that can be read as a history.
        return asked === 1 ? { messages: 1 } : { messages: [] }
      })
      yield* post("lost")
      yield* TestClock.adjust("10 minutes")
      yield* settled
      assert.strictEqual(asked, 1)
      assert.deepInclude((yield* items)[0], { state: "sending" })
      yield* TestClock.adjust("31 seconds")
      yield* settled
      assert.deepStrictEqual(texts(), ["lost", "lost"])
    })
  )

  it.effect("is looked up as far back as it was sent, however much was said since", () =>
    Effect.gen(function* () {
      let id = ""
      const limits: Array<number> = []
      const long = Array.from({ length: 900 }, (_, index) => ({
        role: "assistant",
        content: [{ type: "text", text: `${index}` }],
        timestamp: 2_000 + index
      }))
      const { items, post, texts } = yield* makeWorld(LOST, (params) => {
        const limit = "limit" in params ? Number(params.limit) : 0
        limits.push(limit)
        const own = { role: "user", content: "long ago", idempotencyKey: `${id}:user`, timestamp: 1_500 }
        return { messages: [own, ...long].slice(-limit) }
      })
      id = randomUUID()
      yield* TestClock.setTime(1_000)
      yield* post("long ago", { id })
      yield* TestClock.adjust("11 minutes")
      assert.deepStrictEqual(texts(), ["long ago"])
      assert.deepStrictEqual(yield* items, [])
      assert.includeMembers(limits, [200, 1_000])
    })
  )

  it.effect("leaves it to the person where nobody knows; what comes behind waits for that", () =>
    Effect.gen(function* () {
      const answers = [LOST, STARTED, STARTED]
      const { items, post, send, texts } = yield* makeWorld(
        Effect.suspend(() => answers.shift() ?? STARTED),
        undefined,
        OLDER
      )
      const { body } = yield* post("perhaps")
      yield* settled
      yield* post("behind")
      yield* TestClock.adjust("12 minutes")
      const [unsure, behind] = yield* items
      assert.deepInclude(unsure, { id: body.id, state: "unsure" })
      assert.include(unsure.error, "doesn't say whether it has it")
      assert.deepInclude(behind, { state: "waiting" })
      assert.deepStrictEqual(texts(), ["perhaps"])
      assert.strictEqual((yield* send("PATCH", `/api/outbox/${body.id}`, { text: "no" })).status, 409)
      assert.strictEqual((yield* send("POST", `/api/outbox/${body.id}/resolve`, { action: "again" })).status, 200)
      yield* settled
      assert.deepStrictEqual(texts(), ["perhaps", "perhaps"])
    })
  )
})

describe("a response that ends before its request is answered", () => {
  it.effect("leaves nothing behind, and the next message goes", () =>
    Effect.gen(function* () {
      const ends: Array<Effect.Effect<unknown>> = []
      const world = yield* makeWorld(
        Effect.suspend(() => Effect.andThen(ends.pop() ?? Effect.void, Effect.delay(STARTED, "1 second")))
      )
      const { gateway, items, post, texts } = world
      const id = randomUUID()
      ends.push(gateway.emit("chat", { runId: id, sessionKey: KEY, state: "final", message: { role: "assistant" } }))
      yield* post("quick", { id })
      yield* post("next")
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(texts(), ["quick", "next"])
      assert.deepStrictEqual(
        (yield* items).map(({ text }: { readonly text: string }) => text),
        ["next"]
      )
    })
  )
})

describe("a response that is stopped", () => {
  it.effect("gives back what waited for it at the gateway, and what it had read is done with", () =>
    Effect.gen(function* () {
      const read = randomUUID()
      const waits = randomUUID()
      const { gateway, items, post, send } = yield* makeWorld(STARTED, () => ({
        messages: [{ role: "user", content: "go", idempotencyKey: `${read}:user` }]
      }))
      const tell = (state: string, runId: string) => gateway.emit("chat", { runId, sessionKey: KEY, state })
      yield* post("go", { id: read })
      yield* settled
      yield* gateway.emit("agent", { runId: read, sessionKey: KEY, stream: "lifecycle", data: { phase: "start" } })
      yield* post("and mind the step", { id: waits, mode: "steer" })
      yield* settled
      yield* tell("final", waits)
      yield* tell("aborted", read)
      yield* tell("aborted", waits)
      yield* TestClock.adjust("10 seconds")
      const [left, ...others] = yield* items
      assert.deepStrictEqual(others, [])
      assert.deepInclude(left, { id: waits, text: "and mind the step", state: "failed" })
      assert.include(left.error, "the agent hasn't read it")
      assert.strictEqual((yield* send("POST", `/api/outbox/${waits}/resolve`, { action: "again" })).status, 200)
    })
  )
})

describe("a message that the gateway refuses", () => {
  it.effect("says why, and another attempt has another id", () =>
    Effect.gen(function* () {
      const answers = [Effect.fail(failures.invalid), STARTED]
      const { items, post, send, sent } = yield* makeWorld(Effect.suspend(() => answers.shift() ?? STARTED))
      const { body } = yield* post("refused")
      yield* settled
      assert.deepInclude((yield* items)[0], { state: "failed", error: "The gateway rejected the values." })
      yield* send("POST", `/api/outbox/${body.id}/resolve`, { action: "again" })
      yield* settled
      const keys = sent().map((params) => ("idempotencyKey" in params ? params.idempotencyKey : undefined))
      assert.strictEqual(keys[0], body.id)
      assert.strictEqual(keys.length, 2)
      assert.notStrictEqual(keys[1], body.id)
    })
  )

  it.effect("can be changed and dropped", () =>
    Effect.gen(function* () {
      const { items, post, send } = yield* makeWorld(Effect.fail(failures.invalid))
      const { body } = yield* post("refused")
      yield* settled
      assert.deepInclude((yield* send("PATCH", `/api/outbox/${body.id}`, { text: "other" })).body, { text: "other" })
      assert.strictEqual((yield* send("POST", `/api/outbox/${body.id}/resolve`, { action: "drop" })).status, 200)
      assert.deepStrictEqual(yield* items, [])
    })
  )
})

describe("the order", () => {
  it.effect("is complete after simultaneous moves", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { items, post, send } = yield* makeWorld(Effect.andThen(Deferred.await(gate), STARTED))
      yield* post("first")
      yield* settled
      const ids: Array<string> = []
      for (let number = 0; number < 8; number += 1) ids.push((yield* post(String(number))).body.id)
      yield* Effect.all(
        ids.map((id, index) => send("PATCH", `/api/outbox/${id}`, { position: (index * 5) % 8 })),
        { concurrency: "unbounded" }
      )
      const all: ReadonlyArray<{ readonly id: string; readonly position: number }> = yield* items
      assert.deepStrictEqual(
        all.map(({ position }) => position),
        [0, 1, 2, 3, 4, 5, 6, 7, 8]
      )
      assert.deepStrictEqual(
        all
          .slice(1)
          .map(({ id }) => id)
          .toSorted(),
        ids.toSorted()
      )
    })
  )
})
