/** How a message begins that a person spoke. */
const PREFIX = "[voice] "

/** Asks the agent for the speech marker. */
const HINT =
  "\n\n(I said this aloud and will hear your answer. Put what should be read to me, short and without markup, into one [tts: …] marker.)"

const HINT_START = " (I said this aloud"

/** Where a message's files begin, in a text without its line breaks, too. */
const FILES = /\s+Attached (?:file|text):.*$/s

/** A spoken message as it goes to the agent: marked, followed by a hint about the marker. */
export const asSpoken = (text: string): string => `${PREFIX}${text}${HINT}`

/** Whether a message was spoken. */
export const wasSpoken = (text: string): boolean => text.startsWith(PREFIX)

/** A name or preview that the gateway made from a message, which may be cut anywhere. */
export const plainTitle = (text: string): string => {
  if (!wasSpoken(text)) return text.replace(FILES, "")
  const words = text.slice(PREFIX.length).replace(/\s+/g, " ")
  const hint = words.indexOf(HINT_START)
  return (hint === -1 ? words : words.slice(0, hint)).trim()
}

/** Only the message's words, as they were said or typed. */
export const plainWords = (text: string): string =>
  wasSpoken(text) ? text.slice(PREFIX.length).replace(HINT, "") : text
