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
 * without an item. `onMarked` is told the first match.
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
