import { Effect } from "effect"
import { taskChange } from "../boardEvents.ts"
import type { BoardDb } from "../store/BoardStore.ts"
import { listWaiting } from "../store/linkStore.ts"
import { listTasks } from "../store/taskList.ts"
import { EVERY } from "../store/taskRows.ts"
import type { TaskContent } from "../tasks/taskRules.ts"

type Neighbour = Pick<TaskContent, "id" | "status" | "parentId">

/** Ids of the cards whose answers say something else after a card was made, changed or removed. */
const neighbours = Effect.fnUntraced(function* (
  db: BoardDb,
  before: Neighbour | undefined,
  after: Neighbour | undefined
) {
  const isOther = (before?.status === "done") !== (after?.status === "done")
  const isMoved = before?.parentId !== after?.parentId
  const isGone = after === undefined
  const parents = isOther || isMoved || isGone ? [before?.parentId, after?.parentId] : []
  // Nobody waits for a card that wasn't there before.
  const waiting = before !== undefined && (isOther || isGone) ? yield* listWaiting(db, before.id) : []
  return [...new Set([...parents, ...waiting])].filter((id) => id !== undefined)
})

/** What to publish of the cards that a change of another one says something else about. */
export const neighbourChanges = Effect.fnUntraced(function* (
  db: BoardDb,
  before: Neighbour | undefined,
  after: Neighbour | undefined
) {
  const ids = yield* neighbours(db, before, after)
  if (ids.length === 0) return []
  const { items } = yield* listTasks(db, { ids, statuses: [], priorities: [], limit: EVERY, offset: 0 })
  return items.map((task) => taskChange("updated", task))
})
