import type { PhraseSet } from "../../../../src/contract/schema/voice.ts"

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const BETWEEN = "[\\s\\p{P}\\p{S}]"

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** A phrase as a pattern: ignores case and punctuation between its words, and never matches inside other words. */
const patternOf = (phrase: string, atEnd: boolean): RegExp => {
  const clean = phrase.normalize("NFKC").trim()
  const isUnspaced = UNSPACED.test(clean)
  const words = clean.split(/[\s\p{P}\p{S}]+/u).filter((word) => word !== "")
  const pieces = isUnspaced ? words.flatMap((word) => [...word]) : words
  const body = pieces.map(escaped).join(`${BETWEEN}${isUnspaced ? "*" : "+"}`)
  const start = isUnspaced ? "" : "(?<![\\p{L}\\p{M}\\p{N}])"
  const end = isUnspaced ? "" : "(?![\\p{L}\\p{M}\\p{N}])"
  return new RegExp(`${start}${body}${end}${atEnd ? `${BETWEEN}*$` : ""}`, "iu")
}

const find = (text: string, phrases: ReadonlyArray<string>, atEnd: boolean) => {
  let best: { readonly start: number; readonly end: number } | null = null
  for (const phrase of phrases) {
    if (!/[\p{L}\p{N}]/u.test(phrase)) continue
    const match = patternOf(phrase, atEnd).exec(text)
    if (match === null || (best !== null && best.start <= match.index)) continue
    best = { start: match.index, end: match.index + match[0].length }
  }
  return best
}

const EDGES = /^[\s\p{P}\p{S}]+/u

/** What comes after the first of the phrases in a text; null if it contains none. */
export const afterPhrase = (text: string, phrases: ReadonlyArray<string>): string | null => {
  const clean = text.normalize("NFKC")
  const found = find(clean, phrases, false)
  return found === null ? null : clean.slice(found.end).replace(EDGES, "")
}

/** What comes before one of the phrases at the end of a text; null if it ends otherwise. */
export const beforePhrase = (text: string, phrases: ReadonlyArray<string>): string | null => {
  const clean = text.normalize("NFKC")
  const found = find(clean, phrases, true)
  return found === null ? null : clean.slice(0, found.start).replace(/[\s,;:–—-]+$/u, "")
}

/** `waiting` for a wake phrase, or `awake` with what was said since. */
export type HandsFreeState = { readonly phase: "waiting" } | { readonly phase: "awake"; readonly draft: string }

/** What to do now. */
export type HandsFreeAction =
  | { readonly type: "none" }
  | { readonly type: "wake" }
  | { readonly type: "send"; readonly text: string }
  | { readonly type: "cancel" }

export interface HandsFreeStep {
  readonly state: HandsFreeState
  readonly action: HandsFreeAction
}

const WAITING: HandsFreeState = { phase: "waiting" }

const join = (draft: string, more: string): string => [draft, more.trim()].filter((part) => part !== "").join(" ")

/** Takes the next words that were heard. A cancel phrase counts before a stop phrase; nothing said means nothing sent. */
export const withWords = (state: HandsFreeState, words: string, phrases: PhraseSet): HandsFreeStep => {
  if (state.phase === "waiting") {
    const rest = afterPhrase(words, phrases.wakePhrases)
    if (rest === null) return { state, action: { type: "none" } }
    const step = withWords({ phase: "awake", draft: "" }, rest, phrases)
    return step.action.type === "none" ? { ...step, action: { type: "wake" } } : step
  }
  const draft = join(state.draft, words)
  if (beforePhrase(draft, phrases.cancelPhrases) !== null) return { state: WAITING, action: { type: "cancel" } }
  const text = beforePhrase(draft, phrases.stopPhrases)
  if (text === null) return { state: { phase: "awake", draft }, action: { type: "none" } }
  return { state: WAITING, action: text === "" ? { type: "cancel" } : { type: "send", text } }
}
