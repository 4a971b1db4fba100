import { Effect } from "effect"
import { optionalEntry } from "../../platform/optionalEntry.ts"
import type { StoreError } from "../../platform/sqlite/Sqlite.ts"
import type { Flow, StartCard } from "../flow/flowAnswers.ts"
import type { TaskContent } from "../tasks/taskRules.ts"
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
  /** What decides whether it can start. */
  readonly card: StartCard
}

/**
 * The JSON of tasks without their place and still open at the end, cached by version: an unchanged task is neither read
 * nor encoded again.
 */
export interface TaskTexts {
  /** These tasks, in their order; dies of an invalid row, which the store reports. */
  readonly of: (db: BoardDb, tasks: ReadonlyArray<Head>) => Effect.Effect<ReadonlyArray<Kept>, StoreError>
}

/** Such a text, closed with the task's place in the column and what else isn't its own. */
export const closed = (text: string, columnOrder: number, { children, waitsFor }: Flow): string => {
  const count = children === undefined ? "" : `,"children":${JSON.stringify(children)}`
  const reasons = waitsFor === undefined ? "" : `,"waitsFor":${JSON.stringify(waitsFor)}`
  return `${text}${count}${reasons},"columnOrder":${columnOrder}}`
}

const cardOf = ({ after, assignee, autoStart, gatewayId, id, model, startAt, status }: TaskContent): StartCard => ({
  id,
  status,
  after,
  autoStart,
  ...optionalEntry("startAt", startAt),
  ...optionalEntry("gatewayId", gatewayId),
  ...optionalEntry("assignee", assignee),
  ...optionalEntry("model", model)
})

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
      const found: Array<Kept> = []
      for (const { id, version } of tasks) {
        const known = kept.get(id)
        if (known?.version === version) {
          found.push(known)
          continue
        }
        const { content } = storedTask((yield* db.rows(selectTask(db.dialect), id))[0])
        const one: Kept = { version, text: JSON.stringify(content).slice(0, -1), card: cardOf(content) }
        keep(id, one)
        found.push(one)
      }
      return found
    })
  }
}
