import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { GatewayError } from "../../../../src/services/gateway/client/GatewayError.ts"
import { failures, makeAnsweringGateway } from "../../../support/answeringGateway.ts"
import { consoleWithGateway, post, readConversation } from "../../../support/conversationReader.ts"
import { makeJsonApp } from "../../../support/gatewayApp.ts"

const KEY = "agent:main:begin"
const NEWER = { protocol: 4, version: "2026.9.6", scopes: [], methods: new Set<string>() }
const PATCHED = { key: KEY, entry: { thinkingLevel: "low" }, resolved: { model: "m", modelProvider: "p" } }

/** A console whose gateway changes sessions as the test says, and accepts every message. */
const makeWorld = Effect.fnUntraced(function* (patch: Effect.Effect<unknown, GatewayError>) {
  const gateway = yield* makeAnsweringGateway(({ method }) => {
    if (method === "sessions.patch") return patch
    if (method === "chat.send") return Effect.succeed({ status: "started" })
    if (method === "models.list") return Effect.succeed({ models: [{ id: "m", name: "M", provider: "p" }] })
    return Effect.fail(failures.missingScope)
  }, NEWER)
  const app = yield* makeJsonApp({ gateway: gateway.layer })
  const add = (begin: object, { id = randomUUID(), sessionKey = KEY }: { id?: string; sessionKey?: string } = {}) =>
    app.send("POST", "/api/outbox", { id, sessionKey, text: "Hi", mode: "next", begin })
  const items = Effect.map(app.send("GET", `/api/outbox?sessionKey=${KEY}`), ({ body }) => body.items)
  const calls = () =>
    gateway.calls
      .filter(({ method }) => method === "sessions.patch" || method === "chat.send")
      .map(({ method }) => method)
  return { ...app, gateway, add, items, calls }
})

describe("what a session begins with", () => {
  it.effect("is set in one call before the message", () =>
    Effect.gen(function* () {
      const { add, calls, gateway } = yield* makeWorld(Effect.succeed(PATCHED))
      assert.strictEqual((yield* add({ label: " Plans ", thinking: "low" })).status, 201)
      yield* TestClock.adjust("10 millis")
      assert.deepStrictEqual(calls(), ["sessions.patch", "chat.send"])
      assert.deepStrictEqual(gateway.calls.find(({ method }) => method === "sessions.patch")?.params, {
        key: KEY,
        label: "Plans",
        thinkingLevel: "low"
      })
    })
  )

  it.effect("is set for the session that a short key means", () =>
    Effect.gen(function* () {
      const { add, gateway } = yield* makeWorld(Effect.succeed(PATCHED))
      yield* add({ model: null }, { sessionKey: "main" })
      yield* TestClock.adjust("10 millis")
      const patch = gateway.calls.find(({ method }) => method === "sessions.patch")
      assert.deepStrictEqual(patch?.params, { key: "agent:main:main", model: null })
    })
  )

  it.effect("lets the message wait with the reason while it's refused, and is set as a whole with each try", () =>
    Effect.gen(function* () {
      let refusals = 2
      const { add, calls, gateway, items } = yield* makeWorld(
        Effect.suspend(() => (refusals-- > 0 ? Effect.fail(failures.invalid) : Effect.succeed(PATCHED)))
      )
      yield* add({ label: "Plans", thinking: "low" })
      yield* TestClock.adjust("10 millis")
      assert.deepInclude((yield* items)[0], { state: "waiting", error: failures.invalid.message })
      assert.deepStrictEqual(calls(), ["sessions.patch"])
      yield* TestClock.adjust("11 seconds")
      assert.deepStrictEqual(calls(), ["sessions.patch", "sessions.patch", "sessions.patch", "chat.send"])
      const patches = gateway.calls.flatMap(({ method, params }) => (method === "sessions.patch" ? [params] : []))
      assert.deepStrictEqual(patches[2], patches[0])
      assert.deepInclude((yield* items)[0], { state: "handed" })
      assert.notProperty((yield* items)[0], "error")
    })
  )

  it.effect("isn't set for a message that was taken back, and is refused if it's malformed", () =>
    Effect.gen(function* () {
      const { add, calls, send } = yield* makeWorld(Effect.fail(failures.invalid))
      const id = randomUUID()
      yield* add({ label: "Plans" }, { id })
      yield* TestClock.adjust("10 millis")
      assert.strictEqual((yield* send("DELETE", `/api/outbox/${id}`)).status, 200)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(calls(), ["sessions.patch"])
      assert.strictEqual((yield* add({ label: "" })).status, 400)
      assert.strictEqual((yield* add({ model: 1 })).status, 400)
    })
  )
})

describe.each(["old", "new"] as const)("what a session begins with, %s generation", (generation) => {
  it.live("is in its row after the first message; a name that is taken lets the message wait", () =>
    Effect.gen(function* () {
      const { base, ports } = yield* consoleWithGateway({ generation })
      const first = {
        id: randomUUID(),
        sessionKey: KEY,
        text: "Hi",
        mode: "next",
        begin: { label: "Plans", thinking: "low" }
      }
      const reader = yield* readConversation(ports.http, KEY)
      yield* reader.until(({ head }) => head.status === "ready")
      assert.strictEqual((yield* post(base, "/api/outbox", first)).status, 201)
      yield* reader.turnEnd
      const { body } = yield* Effect.promise(() =>
        fetch(`${base}/api/sessions`).then(async (answer) => ({ body: Object(await answer.json()) }))
      )
      const row = body.sessions.find(({ key }: { key: string }) => key === KEY)
      assert.deepInclude(row, { name: "Plans", thinking: "low" })
      const other = "agent:main:other"
      const waiting = yield* readConversation(ports.http, other)
      yield* waiting.until(({ head }) => head.status === "ready")
      yield* post(base, "/api/outbox", { ...first, id: randomUUID(), sessionKey: other })
      const { items } = yield* waiting.until(({ items }) =>
        items.some((item) => item.kind === "user" && item.why !== undefined)
      )
      assert.deepInclude(items[0], { kind: "user", delivery: "held" })
      assert.deepInclude(items[0], { why: { code: "LABEL_IN_USE", values: { field: "label", given: '"Plans"' } } })
    })
  )
})
