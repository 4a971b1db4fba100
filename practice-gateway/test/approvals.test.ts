import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Frame } from "../../test/support/gatewayLink.ts"
import { practiceGateway } from "../older/practiceGateway.ts"
import type { DemoAgent } from "../src/demo/steps.ts"
import { operator } from "./operator.ts"

const agent: DemoAgent = () => [
  {
    type: "approve",
    command: "rm -r old",
    meta: "remove",
    result: "gone",
    allowed: "I did it.",
    denied: "I left it.",
    runMs: 0
  }
]
const event = (name: string) => (frame: Frame) => frame.event === name
const final = (frame: Frame) => frame.event === "chat" && frame.payload?.state === "final"

for (const generation of ["old", "new"] as const) {
  const layer = practiceGateway({ generation, tokenMs: 0, seed: false, agent })

  describe(`commands that need a person with the ${generation} generation`, () => {
    for (const [decision, said] of [
      ["allow-once", "I did it."],
      ["deny", "I left it."]
    ] as const)
      it.live(`the turn waits, and goes on after ${decision}`, () =>
        Effect.gen(function* () {
          const { link } = yield* operator({ caps: ["tool-events", "approvals"] })
          yield* link.call("chat.send", { sessionKey: "main", message: "go", idempotencyKey: "run" })
          const asked = yield* link.waitFor(event("exec.approval.requested"))
          const id = String(asked.payload?.id)
          assert.deepInclude(asked.payload?.request, { command: "rm -r old", sessionKey: "agent:main:main" })
          if (generation === "new") assert.lengthOf(Object.values(yield* link.call("exec.approval.list")), 1)
          assert.deepStrictEqual(yield* link.call("exec.approval.resolve", { id, decision }), { ok: true })
          const resolved = yield* link.waitFor(event("exec.approval.resolved"))
          assert.deepInclude(resolved.payload, { id, decision })
          const end = yield* link.waitFor(final)
          assert.include(JSON.stringify(end.payload?.message), said)
        }).pipe(Effect.provide(layer))
      )

    it.live("a stop takes the request back", () =>
      Effect.gen(function* () {
        const { link } = yield* operator({ caps: ["approvals"] })
        yield* link.call("chat.send", { sessionKey: "main", message: "go", idempotencyKey: "run" })
        yield* link.waitFor(event("exec.approval.requested"))
        yield* link.call("chat.abort", { sessionKey: "main" })
        const resolved = yield* link.waitFor(event("exec.approval.resolved"))
        assert.strictEqual(resolved.payload?.decision, "deny")
      }).pipe(Effect.provide(layer))
    )
  })
}

describe("commands that nobody connected can show", () => {
  const lastResult = (messages: unknown) =>
    Array.isArray(messages) ? messages.findLast(({ role }) => role === "toolResult") : undefined

  it.live("are refused at once by the newer generation", () =>
    Effect.gen(function* () {
      const { link } = yield* operator()
      yield* link.call("chat.send", { sessionKey: "main", message: "go", idempotencyKey: "run" })
      const end = yield* link.waitFor(final)
      assert.include(JSON.stringify(end.payload?.message), "I left it.")
      const { messages } = yield* link.call("chat.history", { sessionKey: "main" })
      const result = lastResult(messages)
      assert.isTrue(result.isError)
      assert.include(JSON.stringify(result.content), "Headless runs cannot wait for interactive exec approval")
      assert.isFalse(link.frames.some(({ event }) => event === "exec.approval.requested"))
    }).pipe(Effect.provide(practiceGateway({ generation: "new", tokenMs: 0, seed: false, agent })))
  )

  it.live("wait for a page that can, and are sent to that one only", () =>
    Effect.gen(function* () {
      const { link } = yield* operator()
      const { link: page } = yield* operator({ caps: ["exec-approvals"] })
      yield* link.call("chat.send", { sessionKey: "main", message: "go", idempotencyKey: "run" })
      const asked = yield* page.waitFor(event("exec.approval.requested"))
      yield* link.call("exec.approval.resolve", { id: String(asked.payload?.id), decision: "allow-once" })
      assert.include(JSON.stringify((yield* link.waitFor(final)).payload?.message), "I did it.")
      assert.isFalse(link.frames.some(({ event }) => event?.startsWith("exec.approval") === true))
    }).pipe(Effect.provide(practiceGateway({ generation: "new", tokenMs: 0, seed: false, agent })))
  )
})

it.effect("the older generation waits two minutes, and doesn't report the end", () =>
  Effect.gen(function* () {
    const { link } = yield* operator()
    yield* link.call("chat.send", { sessionKey: "main", message: "go", idempotencyKey: "run" })
    const asked = yield* link.waitFor(event("exec.approval.requested"))
    yield* TestClock.adjust("120 seconds")
    assert.include(JSON.stringify((yield* link.waitFor(final)).payload?.message), "I left it.")
    assert.isFalse(link.frames.some(({ event }) => event === "exec.approval.resolved"))
    const late = yield* link.request("exec.approval.resolve", { id: String(asked.payload?.id), decision: "deny" })
    assert.strictEqual(late.error?.message, "unknown or expired approval id")
  }).pipe(Effect.provide(practiceGateway({ generation: "old", tokenMs: 0, seed: false, agent })))
)

for (const generation of ["old", "new"] as const)
  it.effect(`a gateway of the ${generation} generation survives being told twice, and one answer counts`, () =>
    Effect.gen(function* () {
      const { link } = yield* operator({ caps: ["approvals"] })
      yield* link.call("chat.send", { sessionKey: "main", message: "go", idempotencyKey: "run" })
      const id = String((yield* link.waitFor(event("exec.approval.requested"))).payload?.id)
      const resolve = (decision: string) => link.request("exec.approval.resolve", { id, decision })
      assert.isTrue((yield* resolve("allow-once")).ok)
      const [same, other] = [yield* resolve("allow-once"), yield* resolve("deny")]
      assert.strictEqual(same.ok, generation === "new")
      assert.deepStrictEqual(
        [other.ok, other.error?.message],
        [false, generation === "new" ? "approval already resolved" : "unknown or expired approval id"]
      )
      assert.lengthOf(link.frames.filter(event("exec.approval.resolved")), 1)
    }).pipe(Effect.provide(practiceGateway({ generation, tokenMs: 0, seed: false, agent })))
  )
