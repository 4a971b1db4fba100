import { assert, describe, it } from "@effect/vitest"
import { HELD_STATES, type HeldEvent, type HeldSession, nextHeld } from "../../../src/services/budgets/heldSession.ts"

const EVENTS = {
  aborted: { type: "aborted" },
  idle: { type: "idle", isCard: false },
  idleCard: { type: "idle", isCard: true },
  dropped: { type: "released", messageId: undefined },
  released: { type: "released", messageId: "new" },
  finish: { type: "finish", messageId: "new" },
  began: { type: "began" },
  ended: { type: "ended" }
} as const satisfies Readonly<Record<string, HeldEvent>>

type Outcome = (typeof HELD_STATES)[number] | "gone"

/** What every state becomes by everything that can interrupt it. */
const TABLE: Readonly<Record<(typeof HELD_STATES)[number], Readonly<Record<keyof typeof EVENTS, Outcome>>>> = {
  stopping: {
    aborted: "stopped",
    idle: "gone",
    idleCard: "stopped",
    dropped: "gone",
    released: "resuming",
    finish: "summing",
    began: "stopping",
    ended: "stopping"
  },
  restopping: {
    aborted: "stopped",
    idle: "stopped",
    idleCard: "stopped",
    dropped: "gone",
    released: "resuming",
    finish: "summing",
    began: "restopping",
    ended: "restopping"
  },
  stopped: {
    aborted: "stopped",
    idle: "stopped",
    idleCard: "stopped",
    dropped: "gone",
    released: "resuming",
    finish: "summing",
    began: "stopped",
    ended: "stopped"
  },
  resuming: {
    aborted: "resuming",
    idle: "resuming",
    idleCard: "resuming",
    dropped: "resuming",
    released: "resuming",
    finish: "resuming",
    began: "gone",
    ended: "gone"
  },
  summing: {
    aborted: "summing",
    idle: "summing",
    idleCard: "summing",
    dropped: "gone",
    released: "gone",
    finish: "summing",
    began: "summing",
    ended: "summed"
  },
  summed: {
    aborted: "summed",
    idle: "summed",
    idleCard: "summed",
    dropped: "gone",
    released: "gone",
    finish: "summed",
    began: "summed",
    ended: "summed"
  }
}

const session = (state: HeldSession["state"]): HeldSession => ({
  gatewayId: "primary",
  sessionKey: "agent:main:work",
  rootKey: "agent:main:work",
  state,
  since: 1,
  messageId: state === "resuming" || state === "summing" || state === "summed" ? "old" : undefined,
  hasBegun: false
})

describe("a held session", () => {
  for (const state of HELD_STATES)
    it(`that is ${state} becomes what the table says, and never asks twice`, () => {
      for (const [name, event] of Object.entries(EVENTS)) {
        const before = session(state)
        const after = nextHeld(before, event)
        assert.strictEqual(
          after?.state ?? "gone",
          Object.entries(TABLE[state]).find(([key]) => key === name)?.[1],
          name
        )
        // A message that is on its way keeps its id, by which the outbox knows it.
        if (before.messageId !== undefined && after !== undefined) assert.strictEqual(after.messageId, "old", name)
        // What has happened may be reported again after a kill.
        if (after !== undefined && event.type !== "began" && event.type !== "ended")
          assert.deepStrictEqual(nextHeld(after, event), after, `${name} twice`)
      }
    })
})
