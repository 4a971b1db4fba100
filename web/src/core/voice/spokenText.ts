import { parseMarkers } from "../../../../src/contract/markers/parseMarkers.ts"
import { withoutMediaLines } from "../../../../src/services/conversations/history/mediaLines.ts"

/**
 * What to read aloud from a response: its first speech marker, otherwise all of it; "" for nothing. Rejects while what
 * reads Markdown can't be loaded.
 */
export const spokenReply = async (answer: string): Promise<string> => {
  const { speech, text } = parseMarkers(withoutMediaLines(answer))
  if (speech !== null) return speech.trim()
  const { spokenWords } = await import("./spokenWords.ts")
  return spokenWords(text)
}
