import { parseMarkers } from "../../../../src/contract/markers/parseMarkers.ts"
import { withoutMediaLines } from "../../../../src/services/conversations/history/mediaLines.ts"
import type { TurnEnd } from "./chatTypes.ts"

/** The prefix of a spoken message. */
export const VOICE_PREFIX = "[voice]"

/** What to read aloud from a response. */
export interface Speech {
  readonly sessionKey: string
  readonly text: string
  /** The question was spoken, so the response is, too. */
  readonly asked: boolean
}

/** The part of a finished turn to read aloud: its first speech marker, otherwise all visible text. */
export function speechOf(turn: TurnEnd): Speech | null {
  if (turn.outcome !== "done") return null
  const marked = parseMarkers(withoutMediaLines(turn.text))
  const text = (marked.speech ?? marked.text).trim()
  const asked = turn.question?.trimStart().startsWith(VOICE_PREFIX) === true
  return text === "" ? null : { sessionKey: turn.sessionKey, text, asked }
}
