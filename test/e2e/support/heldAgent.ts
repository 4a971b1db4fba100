import { Effect } from "effect"
import { replyTo } from "../../../practice-gateway/src/demo/replyTo.ts"
import type { DemoAgent } from "../../../practice-gateway/src/demo/steps.ts"

/**
 * The tour's agent, but a response to “hold on” waits for a tool that the test ends: it takes as long
 * as something else needs, and no longer.
 */
export const heldAgent = () => {
  let release: (() => void) | undefined
  let letGoEarly = false
  const agent: DemoAgent = (prompt) => {
    if (!/\bhold on\b/.test(prompt.text)) return replyTo(prompt)
    const released = letGoEarly
      ? Promise.resolve()
      : new Promise<void>((resolve) => {
          release = resolve
        })
    letGoEarly = false
    return [
      { type: "text", text: "I'm at it." },
      {
        type: "tool",
        name: "exec",
        args: { command: "make" },
        meta: "work",
        result: "done",
        runMs: 0,
        work: Effect.as(
          Effect.promise(() => released),
          "done"
        )
      },
      { type: "text", text: "The work is done." }
    ]
  }
  return {
    agent,
    /** Ends the latest such response, or the next one if the agent hasn't read the message yet. */
    letGo: () => {
      if (release === undefined) letGoEarly = true
      else release()
      release = undefined
    }
  }
}
