import type { PhraseSet } from "../../../../src/contract/schema/voice.ts"
import { afterPhrase, beforePhrase } from "./phraseMatch.ts"

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
export const heard = (state: HandsFreeState, words: string, phrases: PhraseSet): HandsFreeStep => {
  if (state.phase === "waiting") {
    const rest = afterPhrase(words, phrases.wakePhrases)
    if (rest === null) return { state, action: { type: "none" } }
    const step = heard({ phase: "awake", draft: "" }, rest, phrases)
    return step.action.type === "none" ? { ...step, action: { type: "wake" } } : step
  }
  const draft = join(state.draft, words)
  if (beforePhrase(draft, phrases.cancelPhrases) !== null) return { state: WAITING, action: { type: "cancel" } }
  const text = beforePhrase(draft, phrases.stopPhrases)
  if (text === null) return { state: { phase: "awake", draft }, action: { type: "none" } }
  return { state: WAITING, action: text === "" ? { type: "cancel" } : { type: "send", text } }
}
