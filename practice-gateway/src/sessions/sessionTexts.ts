import type { JsonObject } from "../wire/frames.ts"
import { type Message, messageText } from "./messages.ts"
import { classify, type Session } from "./SessionStore.ts"

const MAX_PREVIEW = 160
const MAX_TITLE = 60
/** What a session is called whose model has no title to offer. */
const DRAWN_BY_LOT = "kind-lobster"

/** The last message with words. */
export const lastSaid = (session: Session): Message | undefined =>
  session.messages.findLast((message) => message.role !== "toolResult" && messageText(message) !== "")

export const isCommand = (text: string) => text.startsWith("/")

const oneLine = (text: string, max: number) => {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`
}

/** The last words of a session. */
export const previewOf = (session: Session): JsonObject => {
  const last = lastSaid(session)
  return last === undefined ? {} : { lastMessagePreview: oneLine(messageText(last), MAX_PREVIEW) }
}

/** A summary by the model, for sessions without a key of their own; a name by lot where the model failed. */
const derivedTitle = ({ key, messages }: Session): string | undefined => {
  if (!key.includes(":dashboard:")) return undefined
  const index = messages.findIndex((message) => message.role === "user" && !isCommand(message.text))
  const first = messages[index]
  if (first === undefined || messageText(first).trim() === "") return undefined
  const answer = messages[index + 1]
  return answer?.role === "assistant" && answer.stopReason === "error"
    ? DRAWN_BY_LOT
    : oneLine(messageText(first), MAX_TITLE)
}

/** The names that a session gets by itself; `derived` where they were asked for. */
export const titlesOf = (session: Session, derived: boolean): JsonObject => {
  const rest = classify(session.key) === "dashboard" ? undefined : session.key.split(":").slice(2).join(":")
  const title = session.label ?? derivedTitle(session)
  const displayName = title ?? rest
  return {
    ...(displayName === undefined || classify(session.key) === "main" ? {} : { displayName }),
    ...(derived && title !== undefined ? { derivedTitle: title } : {})
  }
}
