import type { SearchRole } from "../../../contract/search.ts"
import { unwrapped } from "../../../contract/unwrapped.ts"

/** What stands in the history for a message that is too large for it. */
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

/** What a conversation shows of a message: of a person's, only what was typed. */
export const messageText = (role: SearchRole, content: unknown): string => {
  const text = contentText(content)
  return role === "user" ? unwrapped(text) : text
}
