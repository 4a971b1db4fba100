import type { ChatItem } from "../core/conversation/chatTypes.ts"
import type { WantedMessage } from "../core/conversation/findMessage.ts"
import { revealed } from "./followChat.ts"

const NAME = "found"
/** Milliseconds between looks at the scrolled-to item. */
const DRAWN_MS = 120
/** Looks: what is drawn first may be replaced when its parts have loaded. */
const LOOKS = 12

let waiting: ReturnType<typeof setTimeout> | undefined

/** Where the texts occur within an element. */
const rangesIn = (item: Element, wanted: ReadonlyArray<string>): ReadonlyArray<Range> => {
  const ranges: Array<Range> = []
  const walker = document.createTreeWalker(item, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = (node.textContent ?? "").toLowerCase()
    for (const mark of wanted)
      for (let from = text.indexOf(mark); from >= 0; from = text.indexOf(mark, from + mark.length)) {
        const range = new Range()
        range.setStart(node, from)
        range.setEnd(node, Math.min(from + mark.length, text.length))
        ranges.push(range)
      }
  }
  return ranges
}

/**
 * Highlights every match of the texts within the found item without touching the DOM, once it is drawn; does nothing
 * without an item. `onMarked` gets the first match.
 */
export const markFound = (
  texts: ReadonlyArray<string>,
  key: string | null,
  onMarked: (first: Range) => void = () => {}
): void => {
  if (typeof CSS === "undefined" || !("highlights" in CSS)) return
  // An earlier search must not mark anything once another one began or the search was closed.
  clearTimeout(waiting)
  CSS.highlights.delete(NAME)
  const wanted = texts.map((text) => text.trim().toLowerCase()).filter((text) => text !== "")
  if (key === null || wanted.length === 0) return
  let isMarked = false
  const look = (left: number) => {
    waiting = setTimeout(() => {
      const item = document.querySelector(`[data-item="${CSS.escape(key)}"]`)
      const ranges = item === null ? [] : rangesIn(item, wanted)
      const [first] = ranges
      if (first !== undefined) CSS.highlights.set(NAME, new Highlight(...ranges))
      if (first !== undefined && !isMarked) onMarked(first)
      isMarked ||= first !== undefined
      if (left > 1) look(left - 1)
    }, DRAWN_MS)
  }
  look(LOOKS)
}

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

/** The message that an address's query names. */
export const wantedMessage = (query: string): WantedMessage => {
  const params = new URLSearchParams(query)
  const at = Number(params.get("at"))
  return {
    id: params.get("message"),
    at: Number.isFinite(at) ? at : 0,
    marks: params.getAll("mark").map((mark) => mark.toLowerCase())
  }
}
