import { createObservable } from "../common/Observable.ts"
import type { Readable } from "../common/readable.ts"
import type { InboxItem } from "./inboxTypes.ts"

interface OpenItemsOptions {
  readonly now: () => number
  /** How long the server may take to report an item's end, in milliseconds, before the clock does. */
  readonly grace: number
  readonly onExpired: (item: InboxItem) => void
}

/** A timer can't hold a longer wait, and nothing waits that long. */
const MAX_TIMER = 2 ** 31 - 1

const deadlineOf = ({ expiresAt }: InboxItem): number => expiresAt ?? Number.MAX_VALUE

/** What ends first comes first; without a deadline, what has waited longest. */
const byDeadline = (a: InboxItem, b: InboxItem): number =>
  deadlineOf(a) - deadlineOf(b) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)

/** What is waiting for a person: reported by events, read again on every connection, ended by the clock. */
export class OpenItems {
  private readonly items = createObservable<ReadonlyArray<InboxItem>>([])
  /** Nearest deadline first. */
  readonly open: Readable<ReadonlyArray<InboxItem>> = this.items
  private readonly options: OpenItemsOptions
  /** For each read in progress, what events reported in the meantime: it is newer than the read's result. */
  private readonly readings = new Set<Set<string>>()
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: OpenItemsOptions) {
    this.options = options
  }

  find(id: string): InboxItem | null {
    return this.items.get().find((item) => item.id === id) ?? null
  }

  add(item: InboxItem): void {
    this.note(item.id)
    this.publish([...this.without(item.id), item])
  }

  /** Removes what was decided or withdrawn; null if it wasn't here. */
  remove(id: string): InboxItem | null {
    this.note(id)
    const found = this.find(id)
    if (found !== null) this.publish(this.without(id))
    return found
  }

  /** Replaces everything with the result of a read; null changes nothing. */
  async read(ask: () => Promise<ReadonlyArray<InboxItem> | null>): Promise<void> {
    const told = new Set<string>()
    this.readings.add(told)
    const listed = await ask()
    this.readings.delete(told)
    if (listed === null) return
    const newer = this.items.get().filter(({ id }) => told.has(id))
    this.publish([...newer, ...listed.filter(({ id }) => !told.has(id))])
  }

  dispose(): void {
    clearTimeout(this.timer)
  }

  private without(id: string): ReadonlyArray<InboxItem> {
    return this.items.get().filter((item) => item.id !== id)
  }

  private note(id: string): void {
    for (const told of this.readings) told.add(id)
  }

  private publish(next: ReadonlyArray<InboxItem>): void {
    clearTimeout(this.timer)
    const { grace, now, onExpired } = this.options
    const over = next.filter((item) => deadlineOf(item) + grace <= now())
    const alive = next.filter((item) => !over.includes(item)).toSorted(byDeadline)
    const [first] = alive
    if (first !== undefined && first.expiresAt !== null)
      this.timer = setTimeout(
        () => this.publish(this.items.get()),
        Math.min(first.expiresAt + grace - now(), MAX_TIMER)
      )
    this.items.set(alive)
    for (const item of over) onExpired(item)
  }
}
