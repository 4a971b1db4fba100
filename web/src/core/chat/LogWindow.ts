import type { ChatItem } from "../chatTypes.ts"

/** Items drawn at the end of a conversation, and at most anywhere in it. */
const TAIL = 240
const MAX = 360
const STEP = 120

/** The part of a long conversation that is drawn: its end, or a stretch around where the reader is. */
export class LogWindow {
  private topKey: string | null = null

  /** The first and (not included) last place that is drawn. */
  range(items: ReadonlyArray<ChatItem>): { readonly start: number; readonly end: number } {
    const tail = { start: Math.max(0, items.length - TAIL), end: items.length }
    if (this.topKey === null) return tail
    const start = items.findIndex(({ key }) => key === this.topKey)
    return start < 0 ? tail : { start, end: Math.min(items.length, start + MAX) }
  }

  /** Stays where it is while items are added at the end. */
  pin(items: ReadonlyArray<ChatItem>): void {
    this.topKey ??= items[this.range(items).start]?.key ?? null
  }

  /** Follows the end again. */
  unpin(): void {
    this.topKey = null
  }

  /** Goes on towards the beginning; false when that is drawn already. */
  up(items: ReadonlyArray<ChatItem>): boolean {
    const { start } = this.range(items)
    if (start === 0) return false
    this.topKey = items[Math.max(0, start - STEP)]?.key ?? null
    return true
  }

  /** Goes on towards the end; false when that is drawn already. */
  down(items: ReadonlyArray<ChatItem>): boolean {
    const { start, end } = this.range(items)
    if (end >= items.length) return false
    this.topKey = items[Math.min(start + STEP, Math.max(0, items.length - MAX))]?.key ?? null
    return true
  }

  /** Makes an item part of what is drawn; false when there is no such item. */
  show(items: ReadonlyArray<ChatItem>, key: string): boolean {
    const index = items.findIndex((item) => item.key === key)
    if (index < 0) return false
    const { start, end } = this.range(items)
    if (index < start || index >= end) this.topKey = items[Math.max(0, index - STEP)]?.key ?? null
    else this.pin(items)
    return true
  }
}
