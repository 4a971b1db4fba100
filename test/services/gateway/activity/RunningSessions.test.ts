import { assert, describe, it } from "@effect/vitest"
import { RunningSessions } from "../../../../src/services/gateway/activity/RunningSessions.ts"

describe("which sessions have a response running", () => {
  const heard = () => {
    const running = new RunningSessions()
    running.begin("a", "run-a")
    running.begin("b", "run-b")
    return running
  }

  it("is corrected by the gateway's list, but for what was heard since it was asked", () => {
    const running = heard()
    const askedAt = running.now
    running.begin("b", "later")
    running.update([{ key: "c", isRunning: true }], new Set(["a", "b", "c"]), askedAt)
    assert.deepStrictEqual([running.isBusy("a"), running.isBusy("b"), running.isBusy("c")], [false, true, true])
    assert.deepStrictEqual([running.isRunning("run-b"), running.isRunning("later")], [false, true])
  })

  it("stays as it was heard for sessions that the gateway wasn't asked about", () => {
    const running = heard()
    running.update([{ key: "c", isRunning: true }], new Set(["a", "c"]), running.now)
    running.update([], new Set(["a"]), running.now)
    assert.deepStrictEqual([running.isBusy("a"), running.isBusy("b"), running.isBusy("c")], [false, true, true])
    running.update([], new Set(["b", "c"]), running.now)
    assert.deepStrictEqual([running.isBusy("b"), running.isBusy("c")], [false, false])
  })
})
