import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { DemoAgent } from "../../../src/services/embedded-gateway/demo/steps.ts"
import { EmbeddedGateway } from "../../../src/services/embedded-gateway/EmbeddedGateway.ts"
import type { Frame } from "../../support/gatewayLink.ts"
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
  const layer = EmbeddedGateway.layer({ generation, tokenMs: 0, seed: false, agent })

  describe(`commands that need a person with the ${generation} generation`, () => {
    for (const [decision, said] of [
      ["allow-once", "I did it."],
      ["deny", "I left it."]
    ] as const)
      it.live(`the turn waits, and goes on after ${decision}`, () =>
        Effect.gen(function* () {
          const { link } = yield* operator()
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
        const { link } = yield* operator()
        yield* link.call("chat.send", { sessionKey: "main", message: "go", idempotencyKey: "run" })
        yield* link.waitFor(event("exec.approval.requested"))
        yield* link.call("chat.abort", { sessionKey: "main" })
        const resolved = yield* link.waitFor(event("exec.approval.resolved"))
        assert.strictEqual(resolved.payload?.decision, "deny")
      }).pipe(Effect.provide(layer))
    )
  })
}
