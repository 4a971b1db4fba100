import { Schema } from "effect"
import type { SqlConnection } from "../platform/sqlite/Sqlite.ts"
import { SELECT_TASK, storedTask } from "./taskRows.ts"

/** Characters of JSON kept: some 6,000 tasks with a description of a few lines. */
const MAX_SIZE = 4_000_000

interface Head {
  readonly id: string
  readonly version: number
}

interface Kept {
  readonly version: number
  readonly text: string
}

/** The JSON of tasks without their place, kept by version: what is asked again is neither read nor encoded again. */
export interface TaskTexts {
  /** The JSON of these tasks, in their order; throws on an invalid row, which the store reports. */
  readonly of: (db: SqlConnection, tasks: ReadonlyArray<Head>) => ReadonlyArray<string>
}

/** The JSON of a task at its place in the column. */
export const withPlace = (text: string, columnOrder: number): string =>
  `${text.slice(0, -1)},"columnOrder":${columnOrder}}`

const decodeVersion = Schema.decodeUnknownSync(Schema.Struct({ data_version: Schema.Int }))

/** Every change of a task by this process raises its version; a change by another process drops all that is kept. */
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
    of: (db, tasks) => {
      const { data_version: current } = decodeVersion(db.get("PRAGMA data_version"))
      if (seen !== current) {
        kept.clear()
        size = 0
        seen = current
      }
      return tasks.map(({ id, version }) => {
        const known = kept.get(id)
        const text =
          known?.version === version ? known.text : JSON.stringify(storedTask(db.rows(SELECT_TASK, id)[0]).content)
        keep(id, { version, text })
        return text
      })
    }
  }
}
