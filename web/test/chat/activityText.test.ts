import { assert, describe, it } from "@effect/vitest"
import { activityLabel } from "../../src/chat/activityText.ts"

describe("activityLabel", () => {
  it("names each state, what the gateway prepares, and stopping above all", () => {
    const label = (
      activity: "THINKING" | "STREAMING" | "DONE" | "IDLE",
      phase: string | null = null,
      aborting = false
    ) => activityLabel({ activity, phase, aborting })
    assert.strictEqual(label("THINKING"), "Thinking")
    assert.strictEqual(label("THINKING", "starting_model"), "Starting model")
    assert.strictEqual(label("STREAMING", "starting_model"), "Writing")
    assert.strictEqual(label("STREAMING", null, true), "Stopping")
    assert.strictEqual(label("DONE"), "Done")
    assert.strictEqual(label("IDLE"), "")
  })
})
