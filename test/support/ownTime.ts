import { setTimeout } from "node:timers/promises"
import { Effect } from "effect"

const TICK_MS = 10

/** Milliseconds of CPU time of this thread, without the time it waits on a busy machine. */
export const workedMs = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

/**
 * A watch that counts this thread's work and, in steps, the time in which it could have worked; a step that a busy machine
 * draws out counts as one. What is held up by this process itself, or by nothing happening, takes as long as by any other
 * clock.
 */
export const ownTime = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const watch = { waited: 0 }
      const timer = setInterval(() => {
        watch.waited += TICK_MS
      }, TICK_MS)
      return { watch, timer }
    }),
    ({ timer }) => Effect.sync(() => clearInterval(timer))
  ),
  ({ watch }) =>
    () =>
      watch.waited + workedMs()
)

/** Dies if something isn't over within so many milliseconds of this process's own time. */
export const within =
  (limitMs: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* ownTime
        const end = now() + limitMs
        const late = Effect.promise(async () => {
          while (now() < end) await setTimeout(TICK_MS)
        })
        return yield* Effect.raceFirst(
          effect,
          Effect.andThen(late, Effect.die(new Error(`not over within ${limitMs} ms`)))
        )
      })
    )
