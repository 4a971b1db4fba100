import { Effect, FiberMap } from "effect"

/** Shortest time between two announcements of one path. */
const BURST_WINDOW = "100 millis"

/**
 * Creates a function that announces path changes: the first at once, and a burst ends with one more announcement of the
 * final state. `announce` never runs twice at once for the same path. Owned by the scope.
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
