import { hash } from "node:crypto"
// Imported from its own module, so the thread starts without the rest of the library.
import * as Result from "effect/Result"
import type { SearchRole } from "../../../contract/search.ts"
import { messageText } from "../text/messageText.ts"

/** A message in a transcript. */
export interface MessageLine {
  /** The gateway's id, else the response's, else one that only this text and time have. */
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

/** The role in the search of a role as gateways call it; `undefined` for what isn't shown in conversations. */
export const searchRole = (role: unknown): SearchRole | undefined => ROLES.get(role)

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const nonEmpty = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const timeOf = (value: unknown): number | undefined => {
  const time = typeof value === "string" ? Date.parse(value) : value
  return typeof time === "number" && Number.isFinite(time) ? time : undefined
}

/** The message in a line of a transcript; `undefined` if it has none, or is damaged. */
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
