import { DateTime } from "effect"
import { type Message, messageText } from "./messages.ts"
import type { Session } from "./SessionStore.ts"

type Path = ReadonlyArray<Message>

const MAX_HEADLINE = 120

/** Whether a path is the beginning of another one, or all of it. */
const isWithin = (path: Path, other: Path): boolean =>
  path.length <= other.length && path.at(-1)?.id === other[path.length - 1]?.id

/**
 * Goes on with another path of messages. The one that is left stays as a branch unless another one contains it, and
 * can be read under the id that the session had until now.
 */
export const takePath = (session: Session, path: Path, newId: () => string): void => {
  const left = session.messages
  session.past.set(session.sessionId, left)
  session.previousSessionId = session.sessionId
  session.sessionId = newId()
  session.messages = [...path]
  session.nextSeq = (path.at(-1)?.seq ?? 0) + 1
  const others = [left, ...session.branches].filter((branch) => branch.length > 0 && !isWithin(branch, path))
  session.branches = others.filter((branch, index) =>
    others.every((other, at) => at === index || !isWithin(branch, other) || (isWithin(other, branch) && index < at))
  )
}

const headlineOf = (path: Path): string => {
  const isSaid = (message: Message) => message.role !== "toolResult" && messageText(message).trim() !== ""
  const said = path.findLast(isSaid)
  const line = said === undefined ? "" : messageText(said).replace(/\s+/g, " ").trim()
  return line.length <= MAX_HEADLINE ? line : `${line.slice(0, MAX_HEADLINE - 1)}…`
}

const summary = (path: Path, active: boolean) =>
  path.slice(-1).map(({ id, timestamp }) => ({
    leafEntryId: id,
    headline: headlineOf(path),
    messageCount: path.length,
    updatedAt: DateTime.formatIso(DateTime.makeUnsafe(timestamp)),
    active
  }))

/** The branches of a session as `sessions.branches.list` shows them, the one that goes on first. */
export const branchesOf = (session: Session) => [
  ...summary(session.messages, true),
  ...session.branches.flatMap((path) => summary(path, false))
]
