import { Effect, FiberMap } from "effect"

/** The minimum interval between two events for one path. */
const BURST_WINDOW = "100 millis"

/**
 * Creates a function that publishes path changes: the first at once, and one more after a burst for the final state.
 * `announce` never runs twice at once for the same path. The scope owns it.
 */
export const makeAnnouncer = Effect.fnUntraced(function* (announce: (path: string) => Effect.Effect<void>) {
  const windows = yield* FiberMap.make<string>()
  const again = new Set<string>()

  const open = (path: string): Effect.Effect<void> =>
    Effect.gen(function* () {
      do {
        again.delete(path)
        yield* announce(path)
        yield* Effect.sleep(BURST_WINDOW)
      } while (again.has(path))
    })

  return Effect.fnUntraced(function* (path: string) {
    if (yield* FiberMap.has(windows, path)) again.add(path)
    else yield* FiberMap.run(windows, path, open(path))
  })
})
