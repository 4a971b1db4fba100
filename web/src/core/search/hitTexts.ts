import type { SearchHit } from "./searchTypes.ts"

type Parts = SearchHit["snippet"]

/** What a hit shows: its title, if it has one, and the words around what was found. */
export interface HitTexts {
  readonly title: Parts | null
  readonly text: Parts
}

/** The parts of a snippet before and from a place on. */
const cutAt = (parts: Parts, place: number): readonly [Parts, Parts] => {
  const before: Array<Parts[number]> = []
  const after: Array<Parts[number]> = []
  let at = 0
  for (const { text, hit } of parts) {
    const cut = Math.max(0, Math.min(text.length, place - at))
    if (cut > 0) before.push({ text: text.slice(0, cut), hit })
    if (cut < text.length) after.push({ text: text.slice(cut), hit })
    at += text.length
  }
  return [before, after]
}

/** A card's text begins with its title, which stands alone here; what was found in it stays marked. */
export const hitTexts = ({ title, snippet }: Pick<SearchHit, "title" | "snippet">): HitTexts => {
  if (title === null) return { title: null, text: snippet }
  const line = title.replace(/\s+/g, " ").trim()
  const whole = snippet.map(({ text }) => text).join("")
  const start = whole.length - whole.trimStart().length
  if (!whole.trimStart().startsWith(line)) return { title: [{ text: line, hit: false }], text: snippet }
  const [shown, text] = cutAt(snippet, start + line.length)
  return { title: shown, text: text.some((part) => part.text.trim() !== "") ? text : [] }
}
