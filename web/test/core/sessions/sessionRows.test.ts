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
