import { TASK_STATUSES, type TaskStatus } from "../../../../src/contract/board.ts"
import { quotedTitle } from "../common/phrases.ts"
import { say } from "../language/say.ts"
import type { BoardActions, Saved } from "./BoardActions.ts"
import type { BoardStore } from "./BoardStore.ts"
import { fieldText } from "./boardText.ts"
import type { Place } from "./columns.ts"
import { changedFields } from "./mergeTask.ts"
import type { VisibleColumns } from "./visibleBoard.ts"

/** Where a card was before it was moved. */
export interface CardSpot {
  readonly id: string
  readonly title: string
  readonly status: TaskStatus
  readonly index: number
  /** The card above it, if there was one. */
  readonly above: string | null
}

/** Where cards are, from top to bottom: in this order they can be put back one after another. */
export const spotsOf = (columns: VisibleColumns, ids: ReadonlyArray<string>): ReadonlyArray<CardSpot> =>
  TASK_STATUSES.flatMap((status) =>
    columns[status].flatMap(({ id, title }, index) =>
      ids.includes(id) ? [{ id, title, status, index, above: columns[status][index - 1]?.id ?? null }] : []
    )
  )

/**
 * Puts cards that were moved to a column back where they were. Cards that have left that column since stay where they
 * are; the sentences say why.
 */
export const undoMoves = async (
  { store, actions }: { readonly store: BoardStore; readonly actions: BoardActions },
  spots: ReadonlyArray<CardSpot>,
  movedTo: TaskStatus
): Promise<ReadonlyArray<string>> => {
  const sentences: Array<string> = []
  for (const { id, title, status, index, above } of spots) {
    const now = store.find(id)
    if (now !== null && now.status !== movedTo) {
      sentences.push(
        say("{title} was moved again in the meantime, so it stays where it is.", { title: quotedTitle(title) })
      )
      continue
    }
    const besideAbove = above !== null && store.find(above)?.status === status
    const place: Place = above === null ? "start" : besideAbove ? { after: above } : { index }
    const outcome = await actions.move(id, status, place)
    if (!outcome.ok)
      sentences.push(
        say("Couldn't move {title} back. {reason}", { title: quotedTitle(title), reason: outcome.message })
      )
  }
  return sentences
}

/**
 * Restores the fields that were changed, and only those, whatever else changed on the cards since. Fields that were
 * changed again stay as they are; the sentences say which.
 */
export const undoChanges = async (
  actions: BoardActions,
  saved: ReadonlyArray<Saved>
): Promise<ReadonlyArray<string>> => {
  const sentences = await Promise.all(
    saved.map(async ({ task, before }) => {
      if (changedFields(before).length === 0) return []
      const outcome = await actions.patch(task, before)
      if (!outcome.ok)
        return [say("Couldn't restore {title}. {reason}", { title: quotedTitle(task.title), reason: outcome.message })]
      return outcome.value.conflicts.map(({ field }) =>
        say("{field} of {title} was changed again in the meantime, so it stays as it is.", {
          field: fieldText(field),
          title: quotedTitle(task.title)
        })
      )
    })
  )
  return sentences.flat()
}
