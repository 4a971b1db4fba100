import { plainWords } from "../../../../src/contract/spokenMessage.ts"
import type { ChatItem } from "../conversation/chatTypes.ts"
import { splitMessage } from "./messageFiles.ts"

export interface PromptHistory {
  /** Whether the composer shows an unchanged text from here. */
  shows(text: string): boolean
  /** The text before the one shown; null if there is none. */
  older(items: ReadonlyArray<ChatItem>, shown: string): string | null
  /** The text after the one shown, at the end the unsent one; null if none from here is shown. */
  newer(shown: string): string | null
}

/**
 * A person's own messages in a conversation, recalled with the up and down keys; the unsent text comes back at the
 * end.
 */
export function createPromptHistory(): PromptHistory {
  let texts: ReadonlyArray<string> = []
  let index = 0
  let draft = ""

  const shows = (text: string): boolean => index > 0 && texts[index - 1] === text

  return {
    shows,
    older: (items, shown) => {
      if (!shows(shown)) {
        texts = ownTexts(items)
        index = 0
        draft = shown
      }
      const text = texts[index]
      if (text === undefined) return null
      index++
      return text
    },
    newer: (shown) => {
      if (!shows(shown)) return null
      index--
      return index === 0 ? draft : (texts[index - 1] ?? null)
    }
  }
}

/** The person's own texts, newest first, each once. */
export const ownTexts = (items: ReadonlyArray<ChatItem>): ReadonlyArray<string> => [
  ...new Set(
    items
      .flatMap((item) => (item.kind === "user" ? [splitMessage(plainWords(item.text)).words] : []))
      .filter((text) => text.trim() !== "")
      .reverse()
  )
]
