const NAME = "found"
/** Milliseconds until what was scrolled to is drawn. */
const DRAWN_MS = 120

/** Colours every place of a text within the item that was found, without touching what is drawn; nothing for no item. */
export const markFound = (query: string, key: string | null): void => {
  if (typeof CSS === "undefined" || !("highlights" in CSS)) return
  CSS.highlights.delete(NAME)
  const wanted = query.trim().toLowerCase()
  if (key === null || wanted === "") return
  setTimeout(() => {
    const item = document.querySelector(`[data-item="${CSS.escape(key)}"]`)
    if (item === null) return
    const ranges: Array<Range> = []
    const walker = document.createTreeWalker(item, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = (node.textContent ?? "").toLowerCase()
      for (let from = text.indexOf(wanted); from >= 0; from = text.indexOf(wanted, from + wanted.length)) {
        const range = new Range()
        range.setStart(node, from)
        range.setEnd(node, Math.min(from + wanted.length, text.length))
        ranges.push(range)
      }
    }
    if (ranges.length > 0) CSS.highlights.set(NAME, new Highlight(...ranges))
  }, DRAWN_MS)
}
