import { clearsSession } from "../../../../src/contract/commands.ts"
import type { OutboxMode } from "../../../../src/contract/outbox.ts"
import { say } from "../language/say.ts"
import type { GatewayLink } from "../link/linkTypes.ts"
import { tooLongText } from "../outbox/outboxMessage.ts"
import { MAX_DRAFT_SIZE } from "./DraftStore.ts"

/** What the composer knows when something is sent. */
export interface Composed {
  readonly text: string
  readonly isRunning: boolean
  /** The message that is being written anew; null for none. */
  readonly editing: string | null
}

/** What sending does; `clear` is a message that the gateway takes as the command to clear the session. */
export type SendStep = "stop" | "nothing" | "clear" | "edit" | "message"

export const sendStep = ({ text, isRunning, editing }: Composed): SendStep => {
  const words = text.trim()
  if (words === "/stop" && isRunning) return "stop"
  if (clearsSession(words)) return "clear"
  if (editing !== null) return words === "" ? "nothing" : "edit"
  return "message"
}

/** How a message goes to the agent at once: newer gateways hand it to the running response, others have to stop that. */
export const nowMode = ({ hello }: Pick<GatewayLink, "hello">): OutboxMode =>
  (hello.get()?.protocol ?? 0) >= 4 ? "steer" : "interrupt"

/** The text with words from elsewhere: instead of it where a message is written anew, else below what stands there. */
export const composedText = (text: string, words: string, editing: string | null): string =>
  editing === null ? [text, words].filter((part) => part.trim() !== "").join("\n") : words

/** What a key does to a list of commands. */
export type ListStep =
  | { readonly kind: "mark"; readonly marked: number }
  | { readonly kind: "choose"; readonly index: number }
  | { readonly kind: "close" }

type ListKey = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">

/** Arrows walk a list of `count` lines, Tab and Enter take the marked one, Escape closes it; null for other keys. */
export const listStep = (event: ListKey, marked: number, count: number): ListStep | null => {
  if (count === 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return null
  switch (event.key) {
    case "ArrowDown":
      return { kind: "mark", marked: (marked + 1) % count }
    case "ArrowUp":
      return { kind: "mark", marked: (marked + count - 1) % count }
    case "Tab":
    case "Enter":
      return { kind: "choose", index: marked % count }
    case "Escape":
      return { kind: "close" }
    default:
      return null
  }
}

/** Whether a text is, or could become, a command. */
export const startsCommand = (text: string): boolean => /^\/[a-z]*( [^\n]*)?$/i.test(text)

/** A text that is too long to be sent. */
export interface TooLong {
  readonly said: string
  /** What becomes of it as a draft. */
  readonly draft: string
}

/** What to say of a message while it's written; null if it isn't too long. */
export const tooLong = (message: string): TooLong | null => {
  const said = tooLongText(message)
  if (said === null) return null
  const isKept = message.length <= MAX_DRAFT_SIZE
  return {
    said,
    draft: isKept ? say("Until then, only this browser keeps it.") : say("It's lost when you leave this page.")
  }
}
