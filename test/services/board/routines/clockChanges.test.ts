import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { boardInMemory } from "../../../support/boardStores.ts"
import { routineWorld } from "./routineWorld.ts"

/** Days around both clock changes of each zone, and a local time that is skipped by one and repeated by the other. */
const CHANGES = [
  { zone: "America/New_York", cron: "30 2 * * *", from: "2026-03-07T12:00:00Z", days: 2 },
  { zone: "America/New_York", cron: "30 1 * * *", from: "2026-10-31T12:00:00Z", days: 2 },
  { zone: "America/Santiago", cron: "30 0 * * *", from: "2026-09-05T12:00:00Z", days: 2 },
  { zone: "America/Santiago", cron: "30 23 * * *", from: "2026-04-04T12:00:00Z", days: 2 },
  { zone: "Australia/Lord_Howe", cron: "15 2 * * *", from: "2026-10-03T03:00:00Z", days: 2 },
  { zone: "Australia/Lord_Howe", cron: "45 1 * * *", from: "2026-04-04T03:00:00Z", days: 2 }
] as const

const HOUR = 3_600_000

describe("a daily routine", () => {
  it.effect.each(CHANGES)(
    "makes one card each day through the clock change of $zone at $cron",
    ({ cron, days, from, zone }) =>
      Effect.gen(function* () {
        const { open, titles, until } = yield* routineWorld(Layer.build(boardInMemory), from)
        const routines = yield* open
        yield* routines.create({ name: "D", schedule: { cron, zone }, task: { title: "{date}" }, skipWhileOpen: false })
        const start = Date.parse(from)
        for (let hour = 1; hour <= days * 24; hour += 1)
          yield* until(DateTime.formatIso(DateTime.makeUnsafe(start + hour * HOUR)))
        const dates = yield* titles
        assert.lengthOf(dates, days)
        assert.strictEqual(new Set(dates).size, days)
      })
  )
})
