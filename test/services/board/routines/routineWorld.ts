import { setImmediate } from "node:timers/promises"
import { Clock, Context, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { Task } from "../../../../src/contract/schema/task.ts"
import { Routines } from "../../../../src/services/board/routines/Routines.ts"
import { firstRoutine } from "../../../../src/services/board/store/routineStore.ts"
import { boardWorldOn } from "../boardWorld.ts"
import { makeFakeGateway } from "../fakeGateway.ts"
import type { BoardBase } from "../onEveryStore.ts"

const everything = { statuses: [], priorities: [], limit: 200, offset: 0 } as const

/** A console looks at the clock again after this time at the latest. */
const LOOK_MS = 60_000

/** A board at a moment, with consoles that make its recurring cards; they can go and come back. */
export const routineWorld = Effect.fnUntraced(function* (empty: BoardBase, startsAt: string) {
  yield* TestClock.setTime(Date.parse(startsAt))
  const base = yield* empty
  const world = yield* boardWorldOn(yield* makeFakeGateway, base)
  const testClock = yield* Clock.Clock
  let putForwardMs = 0
  const now = () => testClock.currentTimeMillisUnsafe() + putForwardMs
  /** As the consoles' machine shows it, where somebody puts the clock. */
  const wallClock: Clock.Clock = {
    ...testClock,
    sleep: (duration) => testClock.sleep(duration),
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now)
  }
  const consoles: Array<Scope.Closeable> = []

  /** Lets the consoles make what is due. */
  const settle = Effect.gen(function* () {
    for (;;) {
      yield* Effect.promise(() => setImmediate())
      yield* world.settle
      const first = consoles.length === 0 ? undefined : yield* Effect.orDie(world.store.read(firstRoutine))
      if ((first?.nextAt ?? Number.POSITIVE_INFINITY) > now()) return
    }
  })
  const open = Effect.gen(function* () {
    const scope = yield* Scope.make()
    consoles.push(scope)
    const context = yield* Layer.build(Routines.layer.pipe(Layer.provide(Layer.succeedContext(base)))).pipe(
      Effect.provideService(Clock.Clock, wallClock),
      Scope.provide(scope)
    )
    yield* settle
    return Context.get(context, Routines)
  })
  const close = Effect.suspend(() =>
    Effect.forEach(consoles.splice(0), (scope) => Scope.close(scope, Exit.void), { discard: true })
  )
  yield* Effect.addFinalizer(() => close)
  const cards: Effect.Effect<ReadonlyArray<Task>> = Effect.map(
    Effect.orDie(world.board.list(everything)),
    ({ items }) => items.toSorted((a, b) => a.createdAt - b.createdAt)
  )
  return {
    ...world,
    /** Starts a console on the board. */
    open,
    /** Ends all consoles. */
    close,
    /** In the order in which they were made. */
    cards,
    titles: Effect.map(cards, (all) => all.map(({ title }) => title)),
    /** Lets time pass until a moment. */
    until: Effect.fnUntraced(function* (moment: string) {
      const end = Date.parse(moment) - putForwardMs
      // A look that is late by the test's clock goes to sleep again before the moment comes.
      yield* TestClock.setTime(Math.max(end - LOOK_MS, testClock.currentTimeMillisUnsafe()))
      yield* settle
      yield* TestClock.setTime(end)
      yield* settle
    }),
    /** Puts the clock to a moment, forward or back; the consoles find out by themselves. */
    putClockTo: (moment: string) =>
      Effect.suspend(() => {
        putForwardMs += Date.parse(moment) - now()
        return Effect.andThen(TestClock.adjust(LOOK_MS), settle)
      }),
    finish: (task: Task, status: "done" | "cancelled" = "done") =>
      world.board.patch(task.id, { version: task.version, status })
  }
})
