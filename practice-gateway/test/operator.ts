import { assert } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { type LinkOptions, newDevice, openLink } from "../../test/support/gatewayLink.ts"
import type { DemoAgent } from "../src/demo/steps.ts"
import { EmbeddedGateway } from "../src/EmbeddedGateway.ts"

/** A connected operator with every scope, a device of its own and a session subscription. */
export const operator = Effect.fnUntraced(function* (options: LinkOptions = {}) {
  const gateway = yield* EmbeddedGateway
  const link = yield* openLink(gateway.wsUrl, options.headers)
  const hello = yield* link.connect({ token: Redacted.value(gateway.token), device: newDevice(), ...options })
  assert.isTrue(hello.ok, JSON.stringify(hello.error))
  return { gateway, link, hello }
})

/** Answers like a mock model: an echo, or what a bracketed word asks for. */
export const scriptedAgent: DemoAgent = ({ text, source }) => {
  if (source !== undefined) return [{ type: "text", text: `done with ${source}` }]
  if (text.includes("[tool]"))
    return [
      {
        type: "tool",
        name: "exec",
        args: { command: "echo hi" },
        meta: "print text",
        result: "hi",
        runMs: 0
      },
      { type: "text", text: "the tool said hi" }
    ]
  if (text.includes("[think]"))
    return [
      { type: "thinking", text: "first a plan" },
      { type: "text", text: "then the answer" }
    ]
  if (text.includes("[fail]")) return [{ type: "fail" }]
  if (text.includes("[hang]")) return [{ type: "text", text: "never" }, { type: "hang" }]
  if (text.includes("[spawn]"))
    return [
      { type: "spawn", task: "count to three", label: "counter" },
      { type: "text", text: "the helper is on its way" }
    ]
  return [{ type: "text", text: `echo: ${text}` }]
}
