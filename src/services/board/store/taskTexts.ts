import { Effect } from "effect"
import type { StoreError } from "../../platform/sqlite/Sqlite.ts"
import type { BoardDb } from "./BoardStore.ts"
import { selectTask, storedTask } from "./taskRows.ts"

/** Characters of JSON kept, the latest read: some 6,000 tasks with a description of a few lines. */
const MAX_SIZE = 4_000_000

interface Head {
  readonly id: string
  readonly version: number
}

interface Kept {
  readonly version: number
  readonly text: string
}

/**
 * The JSON of tasks without their place and still open at the end, cached by version: an unchanged task is neither read
 * nor encoded again.
 */
export interface TaskTexts {
  /** The JSON of these tasks, in their order; dies of an invalid row, which the store reports. */
  readonly of: (db: BoardDb, tasks: ReadonlyArray<Head>) => Effect.Effect<ReadonlyArray<string>, StoreError>
}

/** Such a text, closed with the task's place in the column. */
export const withPlace = (text: string, columnOrder: number): string => `${text},"columnOrder":${columnOrder}}`

/** Every change of a task raises its version; what replaces tasks otherwise drops all that is kept. */
export const makeTaskTexts = (maxSize = MAX_SIZE): TaskTexts => {
  const kept = new Map<string, Kept>()
  let size = 0
  let seen: number | undefined

  const drop = (id: string) => {
    size -= kept.get(id)?.text.length ?? 0
    kept.delete(id)
  }
  const keep = (id: string, one: Kept) => {
    drop(id)
    kept.set(id, one)
    size += one.text.length
    for (const oldest of kept.keys()) {
      if (size <= maxSize) return
      drop(oldest)
    }
  }

  return {
    of: Effect.fnUntraced(function* (db, tasks) {
      const current = yield* db.generation
      if (seen !== current) {
        kept.clear()
        size = 0
        seen = current
      }
      const found: Array<string> = []
      for (const { id, version } of tasks) {
        const known = kept.get(id)
        if (known?.version === version) {
          found.push(known.text)
          continue
        }
        const text = JSON.stringify(storedTask((yield* db.rows(selectTask(db.dialect), id))[0]).content).slice(0, -1)
        keep(id, { version, text })
        found.push(text)
      }
      return found
    })
  }
}
