import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { routineChange, withoutEvents } from "../../../../src/services/board/boardEvents.ts"
import { Routines } from "../../../../src/services/board/routines/Routines.ts"
import { BoardStore } from "../../../../src/services/board/store/BoardStore.ts"
import { EventBus } from "../../../../src/services/platform/events/EventBus.ts"
import { freePort } from "../../../support/freePort.ts"
import { hasPostgres, NEEDS_POSTGRES, postgresServer } from "../../../support/postgres.ts"
import { atLast, sharedBoard } from "../sharedBoard.ts"

const ROUNDS = 20
const LONG_MS = 120_000

const everything = { statuses: [], priorities: [], limit: 200, offset: 0 } as const

/** A console on the shared board that makes its recurring cards. */
const consoleOn = Effect.fnUntraced(function* (url: string, name: string) {
  const shared = yield* sharedBoard(url, name)
  const services = Layer.mergeAll(Layer.succeed(BoardStore, shared.store), Layer.succeed(EventBus, shared.bus))
  const context = yield* Layer.build(Routines.layer.pipe(Layer.provide(services)))
  return { ...shared, routines: Context.get(context, Routines) }
})

const seldom = {
  name: "Seldom",
  // Only the test makes it due.
  schedule: { cron: "0 0 1 1 *", zone: "UTC" },
  task: { title: "{n}" },
  skipWhileOpen: false
}

describe.skipIf(!hasPostgres)(`recurring cards of a shared board (${NEEDS_POSTGRES})`, () => {
  it.live(
    "are made once each by three consoles that look at the same moment",
    () =>
      Effect.gen(function* () {
        const pg = yield* postgresServer(yield* Effect.promise(freePort))
        const url = pg.url("postgres")
        const first = yield* consoleOn(url, "first")
        const { id } = yield* atLast(first.routines.create(seldom))
        yield* consoleOn(url, "second")
        yield* consoleOn(url, "third")
        const total = Effect.map(atLast(first.board.list(everything)), (page) => page.total)
        for (let round = 1; round <= ROUNDS; round += 1) {
          const now = yield* Clock.currentTimeMillis
          // All three hear of it and look.
          yield* first.store.mutate((db) =>
            Effect.as(db.run("UPDATE board_routines SET next_at = ?", now), {
              ...withoutEvents(undefined),
              changes: [routineChange(id)]
            })
          )
          while ((yield* total) < round) yield* Effect.sleep("5 millis")
        }
        const { items } = yield* first.board.list(everything)
        assert.deepStrictEqual(
          items.map(({ title }) => Number(title)).toSorted((a, b) => a - b),
          Array.from({ length: ROUNDS }, (_, index) => index + 1)
        )
      }),
    LONG_MS
  )

  it.live(
    "that were due while the database was away are made up once",
    () =>
      Effect.gen(function* () {
        const pg = yield* postgresServer(yield* Effect.promise(freePort), true)
        const url = pg.url("postgres")
        const first = yield* consoleOn(url, "first")
        const second = yield* consoleOn(url, "second")
        const { id } = yield* atLast(first.routines.create(seldom))
        const due = (yield* Clock.currentTimeMillis) + 1000
        yield* first.store.mutate((db) =>
          Effect.as(db.run("UPDATE board_routines SET next_at = ?", due), {
            ...withoutEvents(undefined),
            changes: [routineChange(id)]
          })
        )
        yield* Effect.promise(() => pg.kill())
        yield* Effect.flip(second.board.list(everything))
        while ((yield* Clock.currentTimeMillis) <= due) yield* Effect.sleep("50 millis")
        yield* Effect.promise(() => pg.start())
        const total = Effect.map(atLast(second.board.list(everything)), (page) => page.total)
        while ((yield* total) === 0) yield* Effect.sleep("50 millis")
        const [routine] = yield* atLast(first.routines.list)
        assert.strictEqual(routine?.lastAt, due)
        assert.isAbove(routine?.nextAt ?? 0, due)
        assert.strictEqual(yield* total, 1)
      }),
    LONG_MS
  )
})
