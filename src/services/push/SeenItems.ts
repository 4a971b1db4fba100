import { Clock, Context, Effect, Layer } from "effect"

export interface SeenItemsShape {
  /** A visible page shows these items. */
  readonly mark: (ids: ReadonlyArray<string>) => Effect.Effect<void>
  /** When a visible page last showed an item, in epoch milliseconds. */
  readonly at: (id: string) => number | undefined
}

/** The maximum number of items; the oldest are dropped, because only the last seconds matter. */
const MOST_ITEMS = 10_000

/** The items that people have seen in the console, which need no notification. */
export class SeenItems extends Context.Service<SeenItems, SeenItemsShape>()("agent-console/services/push/SeenItems") {
  static readonly layer = Layer.sync(SeenItems, () => {
    const seen = new Map<string, number>()
    return SeenItems.of({
      mark: Effect.fnUntraced(function* (ids) {
        const now = yield* Clock.currentTimeMillis
        for (const id of ids) {
          seen.delete(id)
          seen.set(id, now)
        }
        for (const id of seen.keys()) {
          if (seen.size <= MOST_ITEMS) break
          seen.delete(id)
        }
      }),
      at: (id) => seen.get(id)
    })
  })
}
