import { DateTime } from "effect"
import type { JsonObject } from "../wire/frames.ts"
import type { Generation } from "../wire/generations.ts"
import { type Message, messageText } from "./messages.ts"
import { classify, type Session } from "./SessionStore.ts"
import { switchedNote, wrappedText } from "./wrappedText.ts"

const MAX_PREVIEW = 160
const MAX_TITLE = 60
/** What the newer generation calls a session whose model has no title to offer. */
const DRAWN_BY_LOT = "kind-lobster"
/** The older generation's prompt in the place of `/new`. */
const STARTUP = "A new session was started via /new or /reset. Run your Session Startup sequence."

const isCommand = (text: string) => text.startsWith("/")
const isTyped = (message: Message) => message.role === "user" && message.source === undefined

/** A message as a generation keeps it: the older one stores what a person typed behind its own notes. */
export const storedText = (message: Message, generation: Generation): string =>
  generation === "old" && isTyped(message) ? wrappedText(messageText(message), message.timestamp) : messageText(message)

const oneLine = (text: string, max: number) => {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`
}

/** The last words of a session; the older generation tells them as they are stored. */
export const previewOf = (session: Session, generation: Generation): JsonObject => {
  const last = session.messages.findLast((message) => message.role !== "toolResult" && messageText(message) !== "")
  if (last === undefined) return {}
  const text = storedText(last, generation)
  return { lastMessagePreview: generation === "old" ? text : oneLine(text, MAX_PREVIEW) }
}

const cutBetweenWords = (text: string) => {
  const line = text.replace(/\s+/g, " ").trim()
  if (line.length <= MAX_TITLE) return line
  const cut = line.slice(0, MAX_TITLE - 1)
  const space = cut.lastIndexOf(" ")
  return `${space > MAX_TITLE * 0.6 ? cut.slice(0, space) : cut}…`
}

/** Of the first prompt with all that stands in front of it, else of the id. */
const oldTitle = (session: Session): string => {
  const { messages, sessionId, updatedAt } = session
  const index = messages.findIndex(
    (message) => message.role === "user" && (!isCommand(message.text) || message.text.startsWith("/new"))
  )
  const first = messages[index]
  if (first === undefined)
    return `${sessionId.slice(0, 8)} (${DateTime.formatIsoDateUtc(DateTime.makeUnsafe(updatedAt))})`
  if (messageText(first).startsWith("/new")) return cutBetweenWords(STARTUP)
  const switched = messages
    .slice(0, index)
    .flatMap((message) => /^Model set to (\S+)\.$/.exec(messageText(message))?.[1] ?? [])
    .at(-1)
  const note = switched === undefined ? "" : switchedNote(switched, first.timestamp)
  return cutBetweenWords(`${note}${storedText(first, "old")}`)
}

/** A summary by the model, for sessions without a key of their own; a name by lot where the model failed. */
const newTitle = ({ key, messages }: Session): string | undefined => {
  if (!key.includes(":dashboard:")) return undefined
  const index = messages.findIndex((message) => message.role === "user" && !isCommand(message.text))
  const first = messages[index]
  if (first === undefined || messageText(first).trim() === "") return undefined
  const answer = messages[index + 1]
  return answer?.role === "assistant" && answer.stopReason === "error"
    ? DRAWN_BY_LOT
    : oneLine(messageText(first), MAX_TITLE)
}

/** The names a generation gives a session by itself; `derived` where they were asked for. */
export const titlesOf = (session: Session, generation: Generation, derived: boolean): JsonObject => {
  if (generation === "old") {
    const { label } = session
    return {
      ...(label === undefined ? {} : { displayName: label }),
      ...(derived ? { derivedTitle: oldTitle(session) } : {})
    }
  }
  const rest = classify(session.key) === "dashboard" ? undefined : session.key.split(":").slice(2).join(":")
  const title = session.label ?? newTitle(session)
  const displayName = title ?? rest
  return {
    ...(displayName === undefined || classify(session.key) === "main" ? {} : { displayName }),
    ...(derived && title !== undefined ? { derivedTitle: title } : {})
  }
}
