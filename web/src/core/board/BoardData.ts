import type { Task } from "./boardTypes.ts"
import { type ColumnOrder, NO_ORDER, withCardAt, withoutCard } from "./columnOrder.ts"

/**
 * What the server said last: its cards and their order. Older news about a card never replaces newer news, and a
 * deleted card stays deleted.
 */
export class BoardData {
  private tasks = new Map<string, Task>()
  private columns: ColumnOrder = NO_ORDER
  private readonly gone = new Set<string>()
  /** What arrived while the list was being read; it is newer than the list. */
  private news: Array<Task | string> | null = null

  get order(): ColumnOrder {
    return this.columns
  }

  find(id: string): Task | undefined {
    return this.tasks.get(id)
  }

  all(): ReadonlyMap<string, Task> {
    return this.tasks
  }

  /** Stores a card as the server sent it, with its position. */
  take(task: Task): void {
    this.news?.push(task)
    const known = this.tasks.get(task.id)
    if (this.gone.has(task.id) || (known !== undefined && known.version >= task.version)) return
    this.tasks.set(task.id, task)
    this.columns = withCardAt(this.columns, task.id, task.status, { index: task.columnOrder })
  }

  /** Removes a card for good. */
  drop(id: string): void {
    this.news?.push(id)
    this.gone.add(id)
    this.tasks.delete(id)
    this.columns = withoutCard(this.columns, id)
  }

  /** From now on, what arrives is remembered for `replace`. */
  beginReading(): void {
    this.news = []
  }

  /** Ends a failed read. */
  endReading(): void {
    this.news = null
  }

  /**
   * Takes the whole list in the server's order, then what arrived while it was read. False if the list came in
   * several pages and something moved in the meantime, so a card may have slipped between pages.
   */
  replace(list: ReadonlyArray<Task>, pages: number): boolean {
    const news = this.news ?? []
    this.news = null
    // The list is newer than every deletion before it; a card that is in it again was restored.
    this.gone.clear()
    const order: Record<string, Array<string>> = {}
    const tasks = new Map<string, Task>()
    for (const task of list) {
      if (tasks.has(task.id)) continue
      const known = this.tasks.get(task.id)
      tasks.set(task.id, known !== undefined && known.version === task.version ? known : task)
      const column = order[task.status] ?? []
      column.push(task.id)
      order[task.status] = column
    }
    this.tasks = tasks
    this.columns = { ...NO_ORDER, ...order }
    for (const entry of news) {
      if (typeof entry === "string") this.drop(entry)
      else this.take(entry)
    }
    return pages < 2 || news.length === 0
  }
}
