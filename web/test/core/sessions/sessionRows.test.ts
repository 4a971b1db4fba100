import { assert, describe, it } from "@effect/vitest"
import { sessionRow } from "../../../src/core/sessions/sessionRows.ts"

const KEY = "agent:main:a"
const row = (fields: Readonly<Record<string, unknown>>, deniedAt: number | null, seenAt = 0) =>
  sessionRow({ key: KEY, startedAt: 10, endedAt: 20, updatedAt: 20, status: "done", ...fields }, KEY, "", {
    seenAt,
    isRunBelieved: true,
    waiting: false,
    deniedAt,
    firstWords: null
  })

describe("a session whose agent wasn't allowed something", () => {
  it("is denied when its run has ended, and not failed, however the gateway calls it", () => {
    assert.strictEqual(row({}, 12).state, "denied")
    assert.strictEqual(row({ status: "failed" }, 12).state, "denied")
    assert.strictEqual(row({ status: "running", endedAt: null }, 12).state, "working")
  })

  it("is as its next run ends, and idle once it was seen", () => {
    assert.strictEqual(row({ startedAt: 15, status: "failed" }, 12).state, "error")
    assert.deepStrictEqual([row({}, 12, 20).state, row({}, 12, 20).denied], ["idle", true])
    assert.isFalse(row({}, null).denied)
  })
})

describe("the name of a card's run", () => {
  it("is the card's, with the number of a later attempt", () => {
    const titleOf = (key: string, label: string) =>
      sessionRow({ label }, key, "", {
        seenAt: 0,
        isRunBelieved: true,
        waiting: false,
        deniedAt: null,
        firstWords: null
      }).title
    assert.strictEqual(titleOf("agent:main:task-1-1", "Paint the shed (48b0e7a9-1)"), "Paint the shed")
    assert.strictEqual(titleOf("agent:main:task-1-3", "Paint the shed (48b0e7a9-3)"), "Paint the shed (3)")
    assert.strictEqual(titleOf("agent:main:talk", "Paint the shed (48b0e7a9-1)"), "Paint the shed (48b0e7a9-1)")
  })
})
