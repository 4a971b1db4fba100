import { assert, describe, it } from "@effect/vitest"
import { timeAfter } from "../../../../src/contract/schema/routineTimes.ts"
import { routineTimes } from "../../../src/core/operations/routineTimes.ts"

const NOW = Date.UTC(2026, 10, 28, 9, 30)

const timesOf = (cron: string, now = NOW) => {
  const schedule = { cron, zone: "Europe/Berlin" }
  const nextAt = timeAfter(schedule, NOW) ?? 0
  return { nextAt, times: routineTimes({ schedule, nextAt }, now, 5) }
}

describe("the next times of a recurring card", () => {
  it("begin with the one that the server names", () => {
    const { nextAt, times } = timesOf("0 9 * * 1-5")
    assert.lengthOf(times, 5)
    assert.strictEqual(times[0], nextAt)
  })
  it("are only that one where the server reads the schedule otherwise", () => {
    const { nextAt, times } = timesOf("0 9 */2 * 1")
    assert.deepStrictEqual(times, [nextAt])
  })
  it("come after now also while the server is about to make a card", () => {
    const { nextAt } = timesOf("0 9 * * *")
    assert.isAbove(timesOf("0 9 * * *", nextAt + 1).times[0] ?? 0, nextAt)
  })
  it("are none while it's paused", () => {
    assert.deepStrictEqual(routineTimes({ schedule: { cron: "0 9 * * *", zone: "UTC" } }, NOW, 5), [])
  })
})
