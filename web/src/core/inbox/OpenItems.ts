import { createObservable, type Readable } from "../common/Observable.ts"

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

export interface OpenItems {
  /** Nearest deadline first. */
  readonly open: Readable<ReadonlyArray<InboxItem>>
  find(id: string): InboxItem | null
  add(item: InboxItem): void
  /** Removes what was decided or withdrawn; null if it wasn't here. */
  remove(id: string): InboxItem | null
  /** Replaces everything with the result of a read; null changes nothing. */
  read(ask: () => Promise<ReadonlyArray<InboxItem> | null>): Promise<void>
  dispose(): void
}

/** What is waiting for a person: reported by events, read again on every connection, ended by the clock. */
export function createOpenItems(options: OpenItemsOptions): OpenItems {
  const open = createObservable<ReadonlyArray<InboxItem>>([])
  /** For each read in progress, what events reported in the meantime: it is newer than the read's result. */
  const readings = new Set<Set<string>>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const find = (id: string): InboxItem | null => open.get().find((item) => item.id === id) ?? null
  const without = (id: string): ReadonlyArray<InboxItem> => open.get().filter((item) => item.id !== id)

  function note(id: string): void {
    for (const changed of readings) changed.add(id)
  }

  function publish(next: ReadonlyArray<InboxItem>): void {
    clearTimeout(timer)
    const { grace, now, onExpired } = options
    const over = next.filter((item) => deadlineOf(item) + grace <= now())
    const alive = next.filter((item) => !over.includes(item)).toSorted(byDeadline)
    const [first] = alive
    if (first !== undefined && first.expiresAt !== null)
      timer = setTimeout(() => publish(open.get()), Math.min(first.expiresAt + grace - now(), MAX_TIMER))
    open.set(alive)
    for (const item of over) onExpired(item)
  }

  return {
    open,
    find,
    add: (item) => {
      note(item.id)
      publish([...without(item.id), item])
    },
    remove: (id) => {
      note(id)
      const found = find(id)
      if (found !== null) publish(without(id))
      return found
    },
    read: async (ask) => {
      const changed = new Set<string>()
      readings.add(changed)
      const listed = await ask()
      readings.delete(changed)
      if (listed === null) return
      const newer = open.get().filter(({ id }) => changed.has(id))
      publish([...newer, ...listed.filter(({ id }) => !changed.has(id))])
    },
    dispose: () => clearTimeout(timer)
  }
}
