import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Schema } from "effect"
import { practiceGateway } from "../older/practiceGateway.ts"
import { operator, scriptedAgent } from "./operator.ts"

const Row = Schema.Struct({
  key: Schema.String,
  displayName: Schema.optional(Schema.String),
  derivedTitle: Schema.optional(Schema.String),
  lastMessagePreview: Schema.optional(Schema.String),
  parentSessionKey: Schema.optional(Schema.String),
  spawnedBy: Schema.optional(Schema.String),
  spawnDepth: Schema.optional(Schema.Finite),
  createdVia: Schema.optional(Schema.String),
  classification: Schema.optional(Schema.String),
  status: Schema.optional(Schema.String)
})
const Rows = Schema.Struct({ sessions: Schema.Array(Row) })

const layer = (generation: "old" | "new") =>
  practiceGateway({ generation, tokenMs: 0, seed: false, agent: scriptedAgent })

/** An operator who makes sessions, talks in them and reads their rows. */
const talker = Effect.gen(function* () {
  const { gateway, link, hello } = yield* operator()
  let runs = 0
  const say = Effect.fnUntraced(function* (sessionKey: string, message: string) {
    const idempotencyKey = `run-${++runs}`
    yield* link.call("chat.send", { sessionKey, message, idempotencyKey })
    yield* link.waitFor(
      ({ payload }) => payload?.runId === idempotencyKey && ["final", "error"].includes(String(payload.state))
    )
  })
  const make = Effect.map(link.call("sessions.create", {}), ({ key }) => String(key))
  const row = Effect.fnUntraced(function* (key: string) {
    const answer = yield* link.call("sessions.list", { includeDerivedTitles: true, includeLastMessage: true })
    const { sessions } = yield* Schema.decodeUnknownEffect(Rows)(answer)
    return sessions.find((entry) => entry.key === key)
  })
  return { gateway, link, hello, say, make, row }
})

describe("rows of the older generation", () => {
  it.live("are named after the wrapped prompt, its notes, or the session's id", () =>
    Effect.gen(function* () {
      const { make, row, say, link } = yield* talker
      const key = yield* make
      assert.match((yield* row(key))?.derivedTitle ?? "", /^[0-9a-f]{8} \(\d{4}-\d\d-\d\d\)$/)
      yield* say(key, "Plan a trip")
      assert.strictEqual((yield* row(key))?.derivedTitle, 'Sender (untrusted metadata): ```json { "label":…')
      const switched = yield* make
      yield* say(switched, "/model demo/swift")
      yield* say(switched, "Plan a trip")
      assert.match((yield* row(switched))?.derivedTitle ?? "", /^System: \[[\d-]+ [\d:]+ UTC\] Model switched to…$/)
      const { previews } = yield* link.call("sessions.preview", { keys: [key] })
      assert.include(JSON.stringify(previews), "Sender (untrusted metadata)")
    }).pipe(Effect.provide(layer("old")))
  )

  it.live("stay running after a stop, and the uptime begins anew with the gateway", () =>
    Effect.gen(function* () {
      const { gateway, make, row, link } = yield* talker
      const key = yield* make
      yield* link.call("chat.send", { sessionKey: key, message: "[hang]", idempotencyKey: "hanging" })
      yield* link.waitFor(({ payload }) => payload?.runId === "hanging" && payload.state === "delta")
      yield* link.call("chat.abort", { sessionKey: key })
      assert.strictEqual((yield* row(key))?.status, "running")
      const before = yield* Clock.currentTimeMillis
      yield* gateway.control.restart
      const { hello } = yield* operator()
      const { uptimeMs } = yield* Schema.decodeUnknownEffect(Schema.Struct({ uptimeMs: Schema.Finite }))(
        hello.payload?.snapshot
      )
      assert.isAtLeast((yield* Clock.currentTimeMillis) - uptimeMs, before)
    }).pipe(Effect.provide(layer("old")))
  )
})

describe("rows of the newer generation", () => {
  it.live("are named by the model, by lot where it failed, or not at all", () =>
    Effect.gen(function* () {
      const { make, row, say } = yield* talker
      const key = yield* make
      assert.isUndefined((yield* row(key))?.derivedTitle)
      yield* say(key, "Plan a trip")
      assert.strictEqual((yield* row(key))?.derivedTitle, "Plan a trip")
      const failed = yield* make
      yield* say(failed, "[fail]")
      assert.strictEqual((yield* row(failed))?.derivedTitle, "kind-lobster")
      yield* say("agent:main:notes", "Plan a trip")
      assert.isUndefined((yield* row("agent:main:notes"))?.derivedTitle)
    }).pipe(Effect.provide(layer("new")))
  )

  it.live("name the main session as the parent of what a person made, and say that nobody spawned it", () =>
    Effect.gen(function* () {
      const { make, row, say, link } = yield* talker
      const key = yield* make
      const made = { parentSessionKey: "agent:main:main", spawnDepth: 0, createdVia: "operator" }
      const { parentSessionKey, spawnDepth, createdVia, classification, spawnedBy } = (yield* row(key)) ?? {}
      assert.deepStrictEqual({ parentSessionKey, spawnDepth, createdVia }, made)
      assert.deepStrictEqual([classification, spawnedBy], ["dashboard", undefined])
      yield* say(key, "[spawn]")
      yield* link.waitFor(({ payload }) => String(payload?.runId).startsWith("announce:") && payload?.state === "final")
      const { sessions } = yield* Schema.decodeUnknownEffect(Rows)(yield* link.call("sessions.list", {}))
      const helper = sessions.find((entry) => entry.spawnedBy === key)
      assert.deepStrictEqual([helper?.parentSessionKey, helper?.spawnDepth], [key, 1])
      assert.strictEqual((yield* row(key))?.classification, "direct")
    }).pipe(Effect.provide(layer("new")))
  )
})
