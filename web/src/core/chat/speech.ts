import { parseMarkers } from "../../../../src/services/markers/parseMarkers.ts"
import type { TurnEnd } from "../chatTypes.ts"

/** What stands in front of a message that was spoken (SPEC "Speech marker"). */
export const VOICE_PREFIX = "[voice]"

/** What is to be read aloud of an answer. */
export interface Speech {
  readonly sessionKey: string
  readonly text: string
  /** The question was spoken, so the answer is, too. */
  readonly asked: boolean
}

/** The words of a finished turn that are read aloud: those of its first speech marker, else all that is visible. */
export function speechOf(turn: TurnEnd): Speech | null {
  if (turn.outcome !== "done") return null
  const marked = parseMarkers(turn.text)
  const text = (marked.speech ?? marked.text).trim()
  const asked = turn.question?.trimStart().startsWith(VOICE_PREFIX) === true
  return text === "" ? null : { sessionKey: turn.sessionKey, text, asked }
}
