import type { ChatItem } from "./chatTypes.ts"

/** Items drawn at the end of a conversation, and the maximum elsewhere. */
const TAIL = 240
const MAX = 360
const STEP = 120

/** The part of a long conversation that is drawn: its end, or a stretch around the reader. */
export class LogWindow {
  private topKey: string | null = null

  /** The first and (exclusive) last index drawn. */
  range(items: ReadonlyArray<ChatItem>): { readonly start: number; readonly end: number } {
    const tail = { start: Math.max(0, items.length - TAIL), end: items.length }
    if (this.topKey === null) return tail
    const start = items.findIndex(({ key }) => key === this.topKey)
    return start < 0 ? tail : { start, end: Math.min(items.length, start + MAX) }
  }

  /** Stays in place while items are added at the end. */
  pin(items: ReadonlyArray<ChatItem>): void {
    this.topKey ??= items[this.range(items).start]?.key ?? null
  }

  /** Follows the end again. */
  unpin(): void {
    this.topKey = null
  }

  /** Extends towards the beginning; false if that is already drawn. */
  up(items: ReadonlyArray<ChatItem>): boolean {
    const { start } = this.range(items)
    if (start === 0) return false
    this.topKey = items[Math.max(0, start - STEP)]?.key ?? null
    return true
  }

  /** Extends towards the end; false if that is already drawn. */
  down(items: ReadonlyArray<ChatItem>): boolean {
    const { start, end } = this.range(items)
    if (end >= items.length) return false
    this.topKey = items[Math.min(start + STEP, Math.max(0, items.length - MAX))]?.key ?? null
    return true
  }

  /** Includes an item in what is drawn; false if there is no such item. */
  show(items: ReadonlyArray<ChatItem>, key: string): boolean {
    const index = items.findIndex((item) => item.key === key)
    if (index < 0) return false
    const { start, end } = this.range(items)
    if (index < start || index >= end) this.topKey = items[Math.max(0, index - STEP)]?.key ?? null
    else this.pin(items)
    return true
  }
}
