import { Effect } from "effect"
import type { AskSearch } from "../SearchThread.ts"
import type { SearchEntry, SearchPlace } from "../searchTypes.ts"

/** An entry that's read only if it has changed. */
export interface Listed<E> {
  readonly key: string
  readonly stamp: string
  readonly read: Effect.Effect<SearchEntry | undefined, E>
}

/** The number of entries stored at a time, so that searches don't wait long. */
export const BATCH = 50

/** Makes a place's entries equal to the listed ones: reads new and changed ones, and removes the rest. */
export const syncEntries = Effect.fnUntraced(function* <E>(
  ask: AskSearch,
  place: SearchPlace,
  listed: ReadonlyArray<Listed<E>>
) {
  const stamps = yield* ask("stamps", place)
  const keys = new Set(listed.map(({ key }) => key))
  const gone = [...stamps.keys()].filter((key) => !keys.has(key))
  if (gone.length > 0) yield* ask("remove", place, gone)
  const changed = listed.filter(({ key, stamp }) => stamps.get(key) !== stamp)
  for (let from = 0; from < changed.length; from += BATCH) {
    const entries = yield* Effect.forEach(changed.slice(from, from + BATCH), ({ read }) => read)
    const found = entries.filter((entry) => entry !== undefined)
    if (found.length > 0) yield* ask("put", found)
  }
})

/** The same for entries that have already been read. */
export const syncWhole = (ask: AskSearch, place: SearchPlace, entries: ReadonlyArray<SearchEntry>) =>
  syncEntries(
    ask,
    place,
    entries.map((entry) => ({ key: entry.key, stamp: entry.stamp, read: Effect.succeed(entry) }))
  )
