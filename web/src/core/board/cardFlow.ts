import { TASK_STATUSES } from "../../../../src/contract/board.ts"
import { type CardWait, isWaiting, type Task } from "./boardTypes.ts"
import { sameValue } from "./mergeTask.ts"
import { NO_CARDS, type VisibleColumns } from "./visibleBoard.ts"

/** What the page knows of the board while it works out what its cards wait for. */
interface Known {
  readonly find: (id: string) => Task | undefined
  /** There may be cards that the page doesn't know. */
  readonly isPartial: boolean
  readonly now: number
}

const NOTHING: ReadonlyArray<CardWait> = []

/** A card that comes first, and isn't done. */
const waitForCard = (task: Task, id: string, { find, isPartial }: Known): ReadonlyArray<CardWait> => {
  const first = find(id)
  if (first?.status === "done") return NOTHING
  const told = task.waitsFor.find((wait) => wait.id === id)
  if (first === undefined && told === undefined && isPartial) return NOTHING
  // A card that was deleted may be back.
  const kind = first === undefined ? (told?.kind ?? "person") : "card"
  return [{ until: null, details: "", ...told, kind, id, title: first?.title ?? null }]
}

/**
 * What a card waits for now. Other cards and the clock change it without a word from the server; of everything else the
 * server's last word counts.
 */
export const waitsNow = (task: Task, known: Known): ReadonlyArray<CardWait> => {
  const { after, startAt } = task
  if (!isWaiting(task) || (after.length === 0 && startAt === null && task.waitsFor.length === 0)) return NOTHING
  const others = task.waitsFor.filter(
    ({ id, kind, until }) =>
      kind !== "card" && kind !== "time" && !(kind === "person" && id !== null) && (until === null || until > known.now)
  )
  return [
    ...after.flatMap((id) => waitForCard(task, id, known)),
    ...(startAt !== null && startAt > known.now
      ? [{ kind: "time" as const, id: null, until: startAt, details: "", title: null }]
      : []),
    ...others
  ]
}

/** The number of children of each card that has any, and how many are done. */
const childrenOf = (
  columns: VisibleColumns
): ReadonlyMap<string, { readonly total: number; readonly done: number }> => {
  const counts = new Map<string, { total: number; done: number }>()
  for (const status of TASK_STATUSES)
    for (const { parentId } of columns[status]) {
      if (parentId === null) continue
      const { done, total } = counts.get(parentId) ?? { total: 0, done: 0 }
      counts.set(parentId, { total: total + 1, done: done + (status === "done" ? 1 : 0) })
    }
  return counts
}

/** A board with what its cards wait for at a moment, and when that changes by the clock alone; null if it doesn't. */
export interface FlowingBoard {
  readonly columns: VisibleColumns
  readonly changesAt: number | null
}

export interface CardFlow {
  of(columns: VisibleColumns, known: Known): FlowingBoard
}

/** Works out what cards wait for, and how far their children are; what hasn't changed stays the same object. */
export function createCardFlow(): CardFlow {
  /** The cards that are shown with something else than the server said, by what the server said. */
  let changed: ReadonlyMap<Task, Task> = new Map()
  let shown: VisibleColumns = NO_CARDS

  return {
    of: (columns, known) => {
      const counts = childrenOf(columns)
      const before = changed
      const after = new Map<Task, Task>()
      let changesAt: number | null = null
      const next: Record<string, ReadonlyArray<Task>> = {}
      for (const status of TASK_STATUSES) {
        const cards = columns[status].map((task) => {
          const waitsFor = waitsNow(task, known)
          const children = known.isPartial ? task.children : (counts.get(task.id) ?? null)
          for (const { until } of waitsFor)
            if (until !== null && (changesAt === null || until < changesAt)) changesAt = until
          const says = (one: Task) => sameValue(one.waitsFor, waitsFor) && sameValue(one.children, children)
          if (says(task)) return task
          const old = before.get(task)
          const now = old !== undefined && says(old) ? old : { ...task, waitsFor, children }
          after.set(task, now)
          return now
        })
        const same =
          cards.length === shown[status].length && cards.every((task, index) => task === shown[status][index])
        next[status] = same ? shown[status] : cards
      }
      changed = after
      shown = { ...NO_CARDS, ...next }
      return { columns: shown, changesAt }
    }
  }
}
