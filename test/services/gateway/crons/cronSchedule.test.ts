import { assert, describe, it } from "@effect/vitest"
import { scheduleFault } from "../../../../src/services/gateway/crons/cronSchemas.ts"

describe("scheduleFault", () => {
  it("lets through what a gateway understands", () => {
    for (const schedule of [
      "0 9 * * *",
      "  */5 * * * * ",
      "0 9 * * 7",
      "0 9 * * MON-FRI",
      "0 0 9 * * *",
      "0 0 9 L * ?",
      "0 0 9 * * * 2030",
      "@daily",
      { kind: "cron", expr: "0 9 * * *" },
      { kind: "cron", expr: "0 9 * * *", tz: "Europe/Berlin" },
      { kind: "every", everyMs: 1, anchorMs: 5 },
      { kind: "at", at: "2027-01-31T09:00:00Z" },
      { kind: "on-exit", command: "true" }
    ]) {
      assert.isUndefined(scheduleFault(schedule), JSON.stringify(schedule))
    }
  })

  it("names what is wrong with everything else", () => {
    const cases: ReadonlyArray<readonly [Parameters<typeof scheduleFault>[0], RegExp]> = [
      ["", /cron expression/],
      ["nonsense", /cron expression/],
      ["* * * *", /cron expression/],
      ["60 * * * *", /cron expression/],
      ["0 24 * * *", /cron expression/],
      ["* * * * * * * *", /cron expression/],
      [{}, /kind/],
      [{ kind: 5 }, /kind: cron, every or at, not 5/],
      [{ kind: "weekly" }, /kind: cron, every or at, not "weekly"/],
      [{ kind: "cron" }, /expr/],
      [{ kind: "cron", expr: 5 }, /expr/],
      [{ kind: "cron", expr: "x" }, /cron expression/],
      [{ kind: "cron", expr: "0 9 * * *", tz: "Nowhere/Nothing" }, /time zone/],
      [{ kind: "cron", expr: "0 9 * * *", tz: 1 }, /time zone/],
      [{ kind: "every" }, /everyMs/],
      [{ kind: "every", everyMs: -1 }, /everyMs/],
      [{ kind: "every", everyMs: 1.5 }, /everyMs/],
      [{ kind: "at", at: "soon" }, /ISO time/],
      [{ kind: "at" }, /ISO time/]
    ]
    for (const [schedule, expected] of cases) assert.match(scheduleFault(schedule) ?? "", expected)
  })
})
