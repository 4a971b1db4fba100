import type { ChatItem } from "../core/conversation/chatTypes.ts"
import { markFound } from "./markFound.ts"
import { revealed } from "./reveal.ts"

/** Frames within which a revealed item is drawn. */
const FRAMES = 180
/** Frames after which it is revealed again: a log that was just following its end may have gone back there. */
const AGAIN = 20

const inLog = (key: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`#log [data-item="${CSS.escape(key)}"]`)

/** The row of tool calls that an item is in. */
const groupOf = (items: ReadonlyArray<ChatItem>, key: string): HTMLElement | undefined => {
  const indexOf = (wanted: string) => items.findIndex((item) => item.key === wanted)
  const index = indexOf(key)
  return [...document.querySelectorAll<HTMLElement>('#log [data-item^="tools:"]')].findLast((group) => {
    const first = indexOf((group.dataset.item ?? "").slice("tools:".length))
    return first >= 0 && first <= index
  })
}

/** Opens everything that hides an item's text. */
const unfold = (place: HTMLElement): void => {
  for (const part of place.querySelectorAll("details")) part.open = true
}

/** The button of a long message that shows all of it. */
const unfolderOf = (place: HTMLElement) => place.querySelector<HTMLElement>("button[data-unfolds]")

/**
 * Brings an item into view with the texts in it marked, and opens it if it is folded. `onShown` is called with its
 * element. Stops when the returned function is called.
 */
export const showFound = (
  items: ReadonlyArray<ChatItem>,
  key: string,
  marks: ReadonlyArray<string>,
  onShown: (place: HTMLElement) => void = () => {}
): (() => void) => {
  let frame = 0
  const reach = (left: number) => {
    frame = requestAnimationFrame(() => {
      const place = inLog(key)
      const group = place === null ? groupOf(items, key)?.querySelector("details") : null
      if (group != null) group.open = true
      if (place === null) {
        if (left % AGAIN === 0) revealed.set({ key })
        if (left > 0) reach(left - 1)
        return
      }
      if (place.dataset.kind === "tool" || place.dataset.kind === "thinking" || place.dataset.kind === undefined)
        unfold(place)
      unfolderOf(place)?.click()
      place.scrollIntoView({ block: place.offsetHeight > innerHeight / 2 ? "start" : "center" })
      onShown(place)
    })
  }
  reach(FRAMES)
  markFound(marks, key, (first) => first.startContainer.parentElement?.scrollIntoView({ block: "center" }))
  return () => {
    cancelAnimationFrame(frame)
    markFound([], null)
  }
}
