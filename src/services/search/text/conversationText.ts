import { hash } from "node:crypto"
// Imported from its own module, so the thread starts without the rest of the library.
import * as Result from "effect/Result"
import type { SearchRole } from "../../../contract/search.ts"
import { CUT_ENVELOPE, unwrapped } from "../../../contract/unwrapped.ts"

/** The gateway's replacement for a message that is too large for its history. */
const LEFT_OUT = "[chat.history omitted: message too large]"

/** Text parts of a message's content, which gateways give as text or as parts. */
const contentText = (content: unknown): string => {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content
    .flatMap((part: unknown): ReadonlyArray<string> => {
      if (typeof part !== "object" || part === null || Reflect.get(part, "type") !== "text") return []
      const text: unknown = Reflect.get(part, "text")
      return typeof text === "string" ? [text] : []
    })
    .join("\n")
}

/** Whether the gateway left the content out of its history. */
export const isLeftOut = (content: unknown): boolean => contentText(content) === LEFT_OUT

/** The text of a message as conversations show it: of a person's, only the typed part. */
export const messageText = (role: SearchRole, content: unknown): string => {
  const text = contentText(content)
  return role === "user" ? unwrapped(text) : text
}

/** A gateway's names for a conversation. */
interface NamedConversation {
  readonly key: string
  readonly label?: string | null
  readonly derivedTitle?: string | null
  readonly displayName?: string | null
}

/** A conversation's title; `undefined` if the gateway has only its key or a placeholder from before the first message. */
export const conversationTitle = (row: NamedConversation): string | undefined =>
  [row.label, row.derivedTitle, row.displayName]
    .map((title) => unwrapped(title ?? "").trim())
    .find((title) => title !== "" && !CUT_ENVELOPE.test(title) && !row.key.endsWith(title))

/** A message in a transcript. */
export interface MessageLine {
  /** The gateway's id, else the response's, else a hash of the line. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly role: SearchRole
  readonly text: string
}

const ROLES: ReadonlyMap<unknown, SearchRole> = new Map<unknown, SearchRole>([
  ["user", "user"],
  ["assistant", "assistant"],
  ["toolResult", "tool"]
])

/** The search's role for a gateway's role; `undefined` for messages that conversations don't show. */
export const searchRole = (role: unknown): SearchRole | undefined => ROLES.get(role)

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const nonEmpty = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const timeOf = (value: unknown): number | undefined => {
  const time = typeof value === "string" ? Date.parse(value) : value
  return typeof time === "number" && Number.isFinite(time) ? time : undefined
}

/** Reads the message in a transcript's line; `undefined` if it has none or is damaged. */
export const readMessageLine = (line: string): MessageLine | undefined => {
  const value = Result.getOrUndefined(Result.try((): unknown => JSON.parse(line)))
  const message = field(value, "message")
  const id = nonEmpty(field(value, "id")) ?? nonEmpty(field(message, "responseId")) ?? hash("sha1", line)
  const role = searchRole(field(message, "role"))
  if (field(value, "type") !== "message" || role === undefined) return undefined
  const at = timeOf(field(message, "timestamp")) ?? timeOf(field(value, "timestamp"))
  if (at === undefined) return undefined
  return { id, at, role, text: messageText(role, field(message, "content")) }
}
