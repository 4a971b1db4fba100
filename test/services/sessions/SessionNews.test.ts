import { assert, describe, it } from "@effect/vitest"
import { Effect, PubSub } from "effect"
import { previewOf } from "../../../src/services/sessions/SessionNews.ts"
import { makeAnsweringGateway } from "../../support/answeringGateway.ts"
import { makeJsonApp } from "../../support/gatewayApp.ts"

const KEY = "agent:main:main"

/** An app whose gateway lists this session, and what the app publishes from now on. */
const start = Effect.fnUntraced(function* (row: object = { key: KEY, label: "Plans" }) {
  const gateway = yield* makeAnsweringGateway(({ method }) =>
    Effect.succeed(method === "sessions.list" ? { sessions: [row] } : {})
  )
  const app = yield* makeJsonApp({ gateway: gateway.layer })
  const events = yield* app.events.subscribe
  const next = (name: string): Effect.Effect<object> =>
    Effect.flatMap(PubSub.take(events), ({ data, event }) => (event === name ? Effect.succeed(data) : next(name)))
  const end = (more: object) => gateway.emit("chat", { sessionKey: KEY, ...more })
  return { end, gateway, next }
})

const said = (text: string) => ({ message: { role: "assistant", content: [{ type: "text", text }], timestamp: 1 } })

describe("session.ended", () => {
  it.effect("says which session's turn ended and how, with its title and the beginning of the answer", () =>
    Effect.gen(function* () {
      const { end, next } = yield* start()
      yield* end({ runId: "a", state: "final", ...said(`Done:\n ${"x".repeat(300)}`) })
      assert.deepStrictEqual(yield* next("session.ended"), {
        sessionKey: KEY,
        outcome: "done",
        title: "Plans",
        preview: `Done: ${"x".repeat(194)}`
      })
      yield* end({ runId: "b", state: "aborted", ...said("Half") })
      assert.deepInclude(yield* next("session.ended"), { outcome: "aborted", preview: "Half" })
    })
  )

  it.effect("never has a gateway's error text, comes once for a run, and has no title where there is none", () =>
    Effect.gen(function* () {
      const { end, next } = yield* start({ key: KEY })
      yield* end({ runId: "a", state: "error", errorMessage: "HTTP 400: secret", ...said("HTTP 400: secret") })
      yield* end({ runId: "a", state: "error", errorMessage: "again" })
      yield* end({ runId: "b", state: "final" })
      const nothing = { sessionKey: KEY, title: "", preview: "" }
      assert.deepStrictEqual(yield* next("session.ended"), { ...nothing, outcome: "error" })
      assert.deepStrictEqual(yield* next("session.ended"), { ...nothing, outcome: "done" })
    })
  )

  it.effect("isn't sent for a message that only waits behind a turn", () =>
    Effect.gen(function* () {
      const { end, gateway, next } = yield* start()
      yield* gateway.emit("agent", { stream: "lifecycle", runId: "a", sessionKey: KEY, data: { phase: "start" } })
      yield* end({ runId: "b", state: "final" })
      // What is heard of a turn later doesn't change what was true then.
      yield* Effect.yieldNow
      assert.deepStrictEqual(previewOf({ runId: "b", state: "final" }), "")
      yield* end({ runId: "c", state: "error" })
      assert.deepInclude(yield* next("session.ended"), { outcome: "error" })
    })
  )

  it("cuts no character in half", () => {
    const message = { role: "assistant", content: [{ type: "text", text: `${"x".repeat(199)}😀` }] }
    assert.strictEqual(previewOf({ runId: "a", state: "final", message }), "x".repeat(199))
  })
})

it.effect("cron.changed says what happened to a job, and when its run began", () =>
  Effect.gen(function* () {
    const { gateway, next } = yield* start()
    yield* gateway.emit("cron", { action: "added" })
    yield* gateway.emit("cron", { jobId: "j", action: "added", nextRunAtMs: 9 })
    yield* gateway.emit("cron", { jobId: "j", action: "finished", runAtMs: 5, status: "ok", summary: "secret" })
    const job = { gatewayId: "primary", jobId: "j" }
    assert.deepStrictEqual(yield* next("cron.changed"), { ...job, action: "added" })
    assert.deepStrictEqual(yield* next("cron.changed"), { ...job, action: "finished", runAtMs: 5 })
  })
)
