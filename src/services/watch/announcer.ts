import { Effect, FiberMap } from "effect"

/** Shortest time between two announcements of one path. */
const BURST_WINDOW = "100 millis"

/**
 * Makes a function that announces changes of paths: the first at once, and a burst ends with one more announcement of
 * the last state (D52). `announce` is never run twice at a time for one path. Owned by the scope.
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
