import type { ChatItem } from "./chatTypes.ts"

/** Items drawn at the end of a conversation, and the maximum elsewhere. */
const TAIL = 240
const MAX = 360
const STEP = 120

export interface LogWindow {
  /** The first and (exclusive) last index drawn. */
  range(items: ReadonlyArray<ChatItem>): { readonly start: number; readonly end: number }
  /** Stays in place while items are added at the end. */
  pin(items: ReadonlyArray<ChatItem>): void
  /** Follows the end again. */
  unpin(): void
  /** Extends towards the beginning; false if that is already drawn. */
  up(items: ReadonlyArray<ChatItem>): boolean
  /** Extends towards the end; false if that is already drawn. */
  down(items: ReadonlyArray<ChatItem>): boolean
  /** Includes an item in what is drawn; false if there is no such item. */
  show(items: ReadonlyArray<ChatItem>, key: string): boolean
}

/** The part of a long conversation that is drawn: its end, or a stretch around the reader. */
export function createLogWindow(): LogWindow {
  let topKey: string | null = null

  function range(items: ReadonlyArray<ChatItem>): { readonly start: number; readonly end: number } {
    const tail = { start: Math.max(0, items.length - TAIL), end: items.length }
    if (topKey === null) return tail
    const start = items.findIndex(({ key }) => key === topKey)
    return start < 0 ? tail : { start, end: Math.min(items.length, start + MAX) }
  }

  function pin(items: ReadonlyArray<ChatItem>): void {
    topKey ??= items[range(items).start]?.key ?? null
  }

  return {
    range,
    pin,
    unpin: () => {
      topKey = null
    },
    up: (items) => {
      const { start } = range(items)
      if (start === 0) return false
      topKey = items[Math.max(0, start - STEP)]?.key ?? null
      return true
    },
    down: (items) => {
      const { start, end } = range(items)
      if (end >= items.length) return false
      topKey = items[Math.min(start + STEP, Math.max(0, items.length - MAX))]?.key ?? null
      return true
    },
    show: (items, key) => {
      const index = items.findIndex((item) => item.key === key)
      if (index < 0) return false
      const { start, end } = range(items)
      if (index < start || index >= end) topKey = items[Math.max(0, index - STEP)]?.key ?? null
      else pin(items)
      return true
    }
  }
}
