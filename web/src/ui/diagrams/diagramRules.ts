import { say } from "../../core/language/say.ts"

/** Longest source that is drawn. */
const MAX_SOURCE = 20_000
/** Longest name for people who can't see a diagram. */
const MAX_NAME = 300

/** Pictures and styles from elsewhere, and handlers: a diagram loads nothing and does nothing. */
const LOADS = /\burl\s*\(|@import|@\{[^}]*\bimg\s*:|\bsprite\s*=|<\s*img\b|<[^<>]*\bon\w+\s*=/i

/** Whether a source may be given to the library at all. */
export const mayDraw = (source: string): boolean => source.length <= MAX_SOURCE && !LOADS.test(source)

/** What a diagram is called for people who can't see it: its own title, or the words in it. */
export const diagramName = (title: string, words: ReadonlyArray<string>): string => {
  const said = title.trim()
  if (said !== "") return said
  const all = [...new Set(words.map((word) => word.trim().replaceAll(/\s+/g, " ")).filter(Boolean))].join(", ")
  if (all === "") return say("Diagram")
  return say("Diagram: {words}", { words: all.length > MAX_NAME ? `${all.slice(0, MAX_NAME)}…` : all })
}
