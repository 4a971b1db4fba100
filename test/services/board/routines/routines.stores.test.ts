import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { CreateRoutine } from "../../../../src/contract/schema/routine.ts"
import { DEFAULT_BOARD_CONFIG } from "../../../../src/services/board/boardConfig.ts"
import { makeNextCard } from "../../../../src/services/board/routines/routineCards.ts"
import type { BoardDb } from "../../../../src/services/board/store/BoardStore.ts"
import { NO_CONDITIONS } from "../../../../src/services/holds/StartHolds.ts"
import { onEveryStore } from "../onEveryStore.ts"
import { routineWorld } from "./routineWorld.ts"

const daily: CreateRoutine = {
  name: "Daily",
  schedule: { cron: "0 9 * * *", zone: "Europe/Berlin" },
  task: { title: "{date} no. {n}, {n}th", priority: "high", labels: ["daily"] },
  skipWhileOpen: false
}

onEveryStore("routines", ({ base }) => {
  describe("a routine", () => {
    it.effect("makes a card at each of its times, and none before", () =>
      Effect.gen(function* () {
        const { cards, open, titles, until } = yield* routineWorld(base, "2026-11-30T07:00:00Z")
        const routines = yield* open
        const { id } = yield* routines.create(daily)
        yield* until("2026-11-30T07:59:59Z")
        assert.deepStrictEqual(yield* titles, [])
        yield* until("2026-11-30T08:00:00Z")
        const [card] = yield* cards
        assert.deepInclude(card, {
          title: "2026-11-30 no. 1, 1th",
          priority: "high",
          labels: ["daily"],
          createdBy: "operator",
          status: "todo",
          createdAt: Date.parse("2026-11-30T08:00:00Z")
        })
        const [routine] = yield* routines.list
        assert.deepInclude(routine, {
          id,
          lastAt: Date.parse("2026-11-30T08:00:00Z"),
          nextAt: Date.parse("2026-12-01T08:00:00Z"),
          lastTaskId: card?.id ?? "",
          version: 1
        })
        yield* until("2026-12-01T08:00:00Z")
        assert.deepStrictEqual(yield* titles, ["2026-11-30 no. 1, 1th", "2026-12-01 no. 2, 2th"])
      })
    )

    it.effect("makes none while its last card is neither done nor cancelled, unless it may", () =>
      Effect.gen(function* () {
        const { board, cards, finish, open, until } = yield* routineWorld(base, "2026-11-30T07:00:00Z")
        const routines = yield* open
        yield* routines.create({ ...daily, skipWhileOpen: true })
        const counts: Array<number> = []
        const count = Effect.map(cards, (all) => counts.push(all.length))
        yield* until("2026-11-30T08:00:00Z")
        yield* count
        yield* until("2026-12-01T08:00:00Z")
        yield* count
        const [first] = yield* cards
        if (first !== undefined) yield* finish(first)
        const [skipped] = yield* routines.list
        assert.strictEqual(skipped?.lastAt, Date.parse("2026-11-30T08:00:00Z"))
        assert.strictEqual(skipped?.nextAt, Date.parse("2026-12-02T08:00:00Z"))
        yield* until("2026-12-02T08:00:00Z")
        yield* count
        const second = (yield* cards)[1]
        if (second !== undefined) yield* finish(second, "cancelled")
        yield* until("2026-12-03T08:00:00Z")
        yield* count
        // A deleted card isn't open.
        const third = (yield* cards)[2]
        if (third !== undefined) yield* board.remove(third.id)
        yield* until("2026-12-04T08:00:00Z")
        yield* count
        assert.deepStrictEqual(counts, [1, 1, 2, 3, 3])
        assert.deepStrictEqual((yield* cards).at(-1)?.title, "2026-12-04 no. 4, 4th")
      })
    )

    it.effect("makes up one card after a time switched off, for the last time that passed", () =>
      Effect.gen(function* () {
        const { close, open, titles, until } = yield* routineWorld(base, "2026-11-30T07:00:00Z")
        const routines = yield* open
        yield* routines.create(daily)
        yield* close
        yield* until("2026-12-05T07:30:00Z")
        assert.deepStrictEqual(yield* titles, [])
        const later = yield* open
        assert.deepStrictEqual(yield* titles, ["2026-12-04 no. 1, 1th"])
        const [routine] = yield* later.list
        assert.strictEqual(routine?.lastAt, Date.parse("2026-12-04T08:00:00Z"))
        assert.strictEqual(routine?.nextAt, Date.parse("2026-12-05T08:00:00Z"))
        yield* until("2026-12-05T08:00:00Z")
        assert.deepStrictEqual(yield* titles, ["2026-12-04 no. 1, 1th", "2026-12-05 no. 2, 2th"])
      })
    )

    it.effect("makes no card for a time twice when the clock is put forward and back", () =>
      Effect.gen(function* () {
        const { open, putClockTo, titles, until } = yield* routineWorld(base, "2026-11-30T07:00:00Z")
        const routines = yield* open
        yield* routines.create(daily)
        yield* putClockTo("2026-12-03T12:00:00Z")
        assert.deepStrictEqual(yield* titles, ["2026-12-03 no. 1, 1th"])
        yield* putClockTo("2026-12-03T07:50:00Z")
        yield* until("2026-12-03T08:00:00Z")
        yield* until("2026-12-03T08:30:00Z")
        yield* putClockTo("2026-12-03T12:00:00Z")
        assert.deepStrictEqual(yield* titles, ["2026-12-03 no. 1, 1th"])
        yield* putClockTo("2026-12-04T08:00:00Z")
        assert.deepStrictEqual(yield* titles, ["2026-12-03 no. 1, 1th", "2026-12-04 no. 2, 2th"])
      })
    )

    it.effect("makes none while it's disabled, and goes on from the moment it's enabled", () =>
      Effect.gen(function* () {
        const { open, titles, until } = yield* routineWorld(base, "2026-11-30T07:00:00Z")
        const routines = yield* open
        const { id } = yield* routines.create(daily)
        yield* routines.patch(id, { version: 1, enabled: false })
        yield* until("2026-12-02T12:00:00Z")
        yield* routines.patch(id, { version: 2, enabled: true })
        yield* until("2026-12-02T13:00:00Z")
        assert.deepStrictEqual(yield* titles, [])
        yield* until("2026-12-03T08:00:00Z")
        assert.deepStrictEqual(yield* titles, ["2026-12-03 no. 1, 1th"])
      })
    )

    it.effect("keeps its time when something else is changed, and counts anew from another schedule", () =>
      Effect.gen(function* () {
        const { open, titles, until } = yield* routineWorld(base, "2026-11-30T07:00:00Z")
        const routines = yield* open
        const { id, nextAt } = yield* routines.create(daily)
        const renamed = yield* routines.patch(id, { version: 1, name: "Other", schedule: daily.schedule })
        assert.strictEqual(renamed.nextAt, nextAt)
        const moved = yield* routines.patch(id, { version: 2, schedule: { cron: "15 8 * * *" } })
        assert.strictEqual(moved.nextAt, Date.parse("2026-11-30T07:15:00Z"))
        yield* until("2026-11-30T07:15:00Z")
        assert.lengthOf(yield* titles, 1)
      })
    )

    it.effect("makes one card for each time though several consoles look at once", () =>
      Effect.gen(function* () {
        const { open, titles, until } = yield* routineWorld(base, "2026-11-30T07:00:00Z")
        const routines = yield* open
        yield* open
        yield* open
        yield* routines.create({ ...daily, schedule: { cron: "*/2 * * * *", zone: "UTC" } })
        for (const minute of ["02", "04", "06", "08"]) yield* until(`2026-11-30T07:${minute}:00Z`)
        assert.deepStrictEqual(
          yield* titles,
          ["1", "2", "3", "4"].map((n) => `2026-11-30 no. ${n}, ${n}th`)
        )
      })
    )

    it.effect("has its card and its next time, or neither, wherever the transaction breaks off", () =>
      Effect.gen(function* () {
        const { cards, close, open, store } = yield* routineWorld(base, "2026-11-30T07:00:00Z")
        const routines = yield* open
        yield* routines.create(daily)
        yield* close
        const before = yield* routines.list
        const now = Date.parse("2026-11-30T08:00:00Z")
        const make = (after: number) =>
          store.mutate((db) => {
            let left = after
            const run: BoardDb["run"] = (...statement) =>
              Effect.suspend(() => {
                left -= 1
                return left < 0 ? Effect.die(new Error("killed")) : db.run(...statement)
              })
            return makeNextCard({
              db: { ...db, run },
              now,
              config: DEFAULT_BOARD_CONFIG,
              conditions: NO_CONDITIONS,
              newId: () => "card-of-the-test"
            })
          })
        let breaks = 0
        for (; ; breaks += 1) {
          const done = yield* Effect.exit(make(breaks))
          if (done._tag === "Success") break
          assert.deepStrictEqual(yield* routines.list, before)
          assert.deepStrictEqual(yield* cards, [])
        }
        assert.isAbove(breaks, 0)
        assert.lengthOf(yield* cards, 1)
        const [routine] = yield* routines.list
        assert.strictEqual(routine?.nextAt, Date.parse("2026-12-01T08:00:00Z"))
        assert.strictEqual(routine?.lastTaskId, "card-of-the-test")
      })
    )
  })
})
