import type { Task } from "./boardTypes.ts"
import { type ColumnOrder, NO_ORDER, withCardAt, withoutCard } from "./columns.ts"
import { sameValue } from "./mergeTask.ts"

export interface BoardData {
  readonly order: ColumnOrder
  find(id: string): Task | undefined
  all(): ReadonlyMap<string, Task>
  /** Stores a card as the server sent it, with its position. */
  take(task: Task): void
  /** Takes what cards wait for; whether these are all the cards that wait for something. */
  takeWaits(blocked: ReadonlyArray<Task>, isAll: boolean): void
  /** Removes a card for good. */
  drop(id: string): void
  /** From now on, what arrives is remembered for `replace`. */
  beginReading(): void
  /** Ends a failed read. */
  endReading(): void
  /**
   * Takes the whole list in the server's order, then what arrived while it was read. False if the list came in
   * several pages and something moved in the meantime, so a card may have slipped between pages.
   */
  replace(list: ReadonlyArray<Task>, pages: number): boolean
}

/**
 * What the server said last: its cards and their order. Older news about a card never replaces newer news, and a
 * deleted card stays deleted.
 */
export function createBoardData(): BoardData {
  let tasks = new Map<string, Task>()
  let columns: ColumnOrder = NO_ORDER
  const gone = new Set<string>()
  /** What arrived while the list was being read; it is newer than the list. */
  let news: Array<Task | string> | null = null

  function take(task: Task): void {
    news?.push(task)
    const known = tasks.get(task.id)
    if (gone.has(task.id) || (known !== undefined && known.version >= task.version)) return
    tasks.set(task.id, task)
    columns = withCardAt(columns, task.id, task.status, { index: task.columnOrder })
  }

  function takeWaits(blocked: ReadonlyArray<Task>, isAll: boolean): void {
    const told = new Map(blocked.map((task) => [task.id, task]))
    for (const [id, known] of tasks) {
      const task = told.get(id)
      if (task !== undefined && task.version !== known.version) continue
      const waitsFor = task?.waitsFor ?? (isAll ? [] : known.waitsFor)
      if (!sameValue(waitsFor, known.waitsFor)) tasks.set(id, { ...known, waitsFor })
    }
  }

  function drop(id: string): void {
    news?.push(id)
    gone.add(id)
    tasks.delete(id)
    columns = withoutCard(columns, id)
  }

  return {
    get order() {
      return columns
    },
    find: (id) => tasks.get(id),
    all: () => tasks,
    take,
    takeWaits,
    drop,
    beginReading: () => {
      news = []
    },
    endReading: () => {
      news = null
    },
    replace: (list, pages) => {
      const late = news ?? []
      news = null
      // The list is newer than every deletion before it; a card that is in it again was restored.
      gone.clear()
      const order: Record<string, Array<string>> = {}
      const next = new Map<string, Task>()
      for (const task of list) {
        if (next.has(task.id)) continue
        const known = tasks.get(task.id)
        next.set(task.id, known !== undefined && known.version === task.version ? known : task)
        const column = order[task.status] ?? []
        column.push(task.id)
        order[task.status] = column
      }
      tasks = next
      columns = { ...NO_ORDER, ...order }
      for (const entry of late) {
        if (typeof entry === "string") drop(entry)
        else take(entry)
      }
      return pages < 2 || late.length === 0
    }
  }
}
