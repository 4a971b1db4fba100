import type { ChatItem } from "../conversation/chatTypes.ts"
import { plainWords } from "../voice/spokenText.ts"

/**
 * A person's own messages in a conversation, recalled with the up and down keys; the unsent text comes back at the
 * end.
 */
export class PromptHistory {
  private texts: ReadonlyArray<string> = []
  private index = 0
  private draft = ""

  /** Whether the composer shows an unchanged text from here. */
  shows(text: string): boolean {
    return this.index > 0 && this.texts[this.index - 1] === text
  }

  /** The text before the one shown; null if there is none. */
  older(items: ReadonlyArray<ChatItem>, shown: string): string | null {
    if (!this.shows(shown)) {
      this.texts = ownTexts(items)
      this.index = 0
      this.draft = shown
    }
    const text = this.texts[this.index]
    if (text === undefined) return null
    this.index++
    return text
  }

  /** The text after the one shown, at the end the unsent one; null if none from here is shown. */
  newer(shown: string): string | null {
    if (!this.shows(shown)) return null
    this.index--
    return this.index === 0 ? this.draft : (this.texts[this.index - 1] ?? null)
  }
}

/** The person's own texts, newest first, each once. */
export const ownTexts = (items: ReadonlyArray<ChatItem>): ReadonlyArray<string> => [
  ...new Set(
    items.flatMap((item) => (item.kind === "user" && item.text.trim() !== "" ? [plainWords(item.text)] : [])).reverse()
  )
]
