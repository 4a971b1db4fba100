import { type Fields, fieldsOf, listOf, numberOf } from "../../../contract/looseFields.ts"
import { contentText } from "./toolText.ts"

/** The gateway's own note of what had been said when it stopped a turn. */
export const isStopNote = (message: Fields): boolean => fieldsOf(message.openclawAbort).aborted === true

const isPartial = (message: Fields): boolean => message.role === "assistant" && message.stopReason === "aborted"

const squashed = (text: string): string => text.replace(/\s/g, "")

/** What follows a part at the beginning of a text, whatever the white space in both; null if it isn't there. */
function after(text: string, part: string): string | null {
  const wanted = squashed(part)
  if (!squashed(text).startsWith(wanted)) return null
  let at = 0
  for (let seen = 0; seen < wanted.length; at++) if (/\S/.test(text.charAt(at))) seen++
  return text.slice(at).trim()
}

/** What a text has that its possible parts lack. */
function restOf(text: string, parts: ReadonlyArray<string>): string {
  const [all, said] = [squashed(text), squashed(parts.join(""))]
  // If parts look alike, one gateway generation leaves out a character between them.
  if (all.length <= said.length + parts.length && said.startsWith(all.slice(0, 40))) return ""
  return parts.reduce((rest, part) => after(rest, part) ?? rest, text.trim())
}

/** A stopped turn's messages, with every word and the stop itself once. */
function saidOnce(turn: ReadonlyArray<Fields>, note: Fields): ReadonlyArray<Fields> {
  const textsOf = (which: (message: Fields) => boolean) =>
    turn.flatMap((message) => {
      const text = message.role === "assistant" && which(message) ? contentText(message.content).trim() : ""
      return text === "" ? [] : [text]
    })
  const rest = restOf(
    contentText(note.content),
    textsOf((message) => message !== note && !isPartial(message))
  )
  const partial = textsOf((message) => message !== note && isPartial(message)).join("\n\n")
  // Both end with the last words, and either may have more of them.
  const isSame = after(partial, rest) !== null || after(rest, partial) !== null
  // The model's own white space makes its lines and lists.
  const words = isSame && squashed(partial).length >= squashed(rest).length ? partial : rest
  return turn.map((message) => {
    if (message === note) return { ...note, content: [{ type: "text", text: words }] }
    if (!isPartial(message)) return message
    const others = listOf(message.content).filter((part) => fieldsOf(part).type !== "text")
    return { ...message, content: isSame ? others : message.content, stopReason: "stop" }
  })
}

/** Calls in a turn whose result came after the stop or mentions one, whatever else it says. */
function cutToolsOf(turn: ReadonlyArray<Fields>, note: Fields | undefined): ReadonlyArray<unknown> {
  const stoppedAt = numberOf(note?.timestamp) ?? Number.POSITIVE_INFINITY
  return turn.flatMap((message, index) => {
    if (message.role !== "toolResult") return []
    const next = turn[index + 1]
    const isLast = next !== undefined && isPartial(next) && contentText(next.content) === ""
    const isLate = (numberOf(message.timestamp) ?? 0) >= stoppedAt
    return isLate || (isLast && /abort/i.test(contentText(message.content))) ? [message.toolCallId] : []
  })
}

/**
 * Stops as the history stores them: the gateway's note repeats everything its turn had said, and one generation also
 * has the last of it as the model's own message. A stopped tool may be listed as successful.
 */
export function stoppedTurns(messages: ReadonlyArray<Fields>): {
  readonly messages: ReadonlyArray<Fields>
  readonly cutTools: ReadonlySet<unknown>
} {
  const turns: Array<Array<Fields>> = [[]]
  for (const message of messages) {
    if (message.role === "user") turns.push([])
    turns.at(-1)?.push(message)
  }
  const notes = turns.map((turn) => turn.find(isStopNote))
  return {
    messages: turns.flatMap((turn, index) => {
      const note = notes[index]
      return note === undefined ? turn : saidOnce(turn, note)
    }),
    cutTools: new Set(turns.flatMap((turn, index) => cutToolsOf(turn, notes[index])))
  }
}
