import { sayCount } from "../language/say.ts"
import type { ChatItem } from "./chatTypes.ts"

/** How many of these items are messages: what people and agents said. */
export const messagesIn = (items: ReadonlyArray<ChatItem>): number =>
  items.filter(({ kind }) => kind === "user" || kind === "assistant").length

/** How many messages, in words. */
export const messagesText = (count: number): string => sayCount(count, "{count} message", "{count} messages")
