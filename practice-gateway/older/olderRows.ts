import { DateTime } from "effect"
import { messageText } from "../src/sessions/messages.ts"
import { classify, modelOf, type Session, type SessionStore } from "../src/sessions/SessionStore.ts"
import { children, lastRun, optional, type RowOptions, tokens } from "../src/sessions/sessionRow.ts"
import { isCommand, lastSaid } from "../src/sessions/sessionTexts.ts"
import type { JsonObject } from "../src/wire/frames.ts"
import { storedText } from "./olderMessages.ts"
import { switchedNote } from "./wrappedText.ts"

const MAX_TITLE = 60
/** The prompt in the place of `/new`. */
const STARTUP = "A new session was started via /new or /reset. Run your Session Startup sequence."

const cutBetweenWords = (text: string) => {
  const line = text.replace(/\s+/g, " ").trim()
  if (line.length <= MAX_TITLE) return line
  const cut = line.slice(0, MAX_TITLE - 1)
  const space = cut.lastIndexOf(" ")
  return `${space > MAX_TITLE * 0.6 ? cut.slice(0, space) : cut}…`
}

/** Of the first prompt with all that stands in front of it, else of the id. */
const titleOf = (session: Session): string => {
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
  return cutBetweenWords(`${note}${storedText(first)}`)
}

/** A session as `sessions.list` and the session events show it; its last words are those that are stored. */
export const olderRow = (session: Session, store: SessionStore, _now: number, options: RowOptions = {}): JsonObject => {
  const said = options.lastMessage === true ? lastSaid(session) : undefined
  const model = modelOf(session)
  return {
    key: session.key,
    ...optional({ spawnedBy: session.spawnedBy }),
    kind: "direct",
    ...optional({ label: session.label, displayName: session.label }),
    ...(options.derivedTitle === true ? { derivedTitle: titleOf(session) } : {}),
    ...(said === undefined ? {} : { lastMessagePreview: storedText(said) }),
    ...(classify(session.key) === "main" ? { chatType: "direct" } : {}),
    updatedAt: session.updatedAt,
    sessionId: session.sessionId,
    systemSent: session.systemSent,
    ...optional({ abortedLastRun: session.abortedLastRun }),
    ...optional({ thinkingLevel: session.thinkingLevel }),
    ...session.extras,
    ...(session.totalTokens === 0 ? { totalTokensFresh: false } : tokens(session)),
    ...lastRun(session),
    ...children(session, store),
    modelProvider: session.override?.provider ?? model.provider,
    model: session.override?.id ?? model.id,
    contextTokens: model.contextWindow,
    ...(session.systemSent ? { deliveryContext: { channel: "webchat" }, lastChannel: "webchat" } : {})
  }
}

const ROW_ONLY: ReadonlyArray<string> = ["key", "chatType", "inputTokens", "outputTokens", "childSessions"]

/** What a `session.message` event repeats of a row beside it. */
export const olderFacts = (row: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([key]) => !ROW_ONLY.includes(key)))
