import { dayHeading } from "../common/dateText.ts"
import { say } from "../language/say.ts"
import type { SearchHit } from "./SearchStore.ts"

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

/** What is written as headings and lists, of which a line says it all. */
const OF_LINES: ReadonlySet<SearchHit["kind"]> = new Set(["memory", "document"])
/** Between the lines of a text that is shown in one. */
const BREAK = " · "
/** Characters that say enough of what was found. */
const ENOUGH = 40

const linesOf = (parts: Parts): ReadonlyArray<Parts> => {
  const lines: Array<Array<Parts[number]>> = [[]]
  for (const { text, hit } of parts)
    for (const [index, piece] of text.split(BREAK).entries()) {
      if (index > 0) lines.push([])
      if (piece !== "") lines.at(-1)?.push({ text: piece, hit })
    }
  return lines.filter((line) => line.length > 0)
}

const lengthOf = (lines: ReadonlyArray<Parts>): number => lines.flat().reduce((sum, { text }) => sum + text.length, 0)

/** The lines that something was found in; with those that follow, if a heading alone would say too little. */
export const foundLines = (parts: Parts): Parts => {
  const lines = linesOf(parts)
  const shown: Array<Parts> = []
  for (const line of lines) {
    const isFound = line.some(({ hit }) => hit)
    if (isFound || (shown.length > 0 && lengthOf(shown) < ENOUGH)) shown.push(line)
  }
  if (shown.length === 0) return parts
  return shown.flatMap((line, index) => (index === 0 ? line : [{ text: BREAK, hit: false }, ...line]))
}

/** A card's text begins with its title, which stands alone here; what was found in it stays marked. */
export const hitTexts = ({ kind, title, snippet }: Pick<SearchHit, "kind" | "title" | "snippet">): HitTexts => {
  if (title === null) return { title: null, text: OF_LINES.has(kind) ? foundLines(snippet) : snippet }
  const line = title.replace(/\s+/g, " ").trim()
  const whole = snippet.map(({ text }) => text).join("")
  const start = whole.length - whole.trimStart().length
  if (!whole.trimStart().startsWith(line)) return { title: [{ text: line, hit: false }], text: snippet }
  const [shown, text] = cutAt(snippet, start + line.length)
  return { title: shown, text: text.some((part) => part.text.trim() !== "") ? text : [] }
}

/** A day's file, such as `memory/2026-11-24.md`, and what it is about if its name says so. */
const DAY_FILE = /^memory\/(\d{4}-\d\d-\d\d)(?:[-_ ](.+))?\.md$/i

type Place = Pick<SearchHit, "kind" | "path">

const dayFile = ({ kind, path }: Place) => (kind === "memory" && path !== null ? DAY_FILE.exec(path) : null)

/** Whether a hit is a day's memory, whose name tells its time already. */
export const isOfDay = (place: Place): boolean => dayFile(place) !== null

/** What a file that was found is called, as its screen calls it; its path if there are no words for it. */
export const hitName = (place: Place, now: number): string => {
  const { kind, path } = place
  const [, day, about] = dayFile(place) ?? []
  if (day !== undefined)
    return [dayHeading(day, now), ...(about === undefined ? [] : [about.replace(/[-_]+/g, " ")])].join(" · ")
  if (path === null) return say("Memory")
  return kind === "memory" && /^memory\.md$/i.test(path) ? say("Long-term memory") : path
}
