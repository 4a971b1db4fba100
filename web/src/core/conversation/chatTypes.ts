import type { OutboxMode } from "../../../../src/contract/outbox.ts"
import type { ChatMedia as StoredMedia } from "../../../../src/services/conversations/history/mediaLines.ts"
import type * as Kept from "../../../../src/services/conversations/turn/chatItems.ts"
import type { OutgoingImage } from "../../../../src/services/conversations/turn/outgoing.ts"
import type { ActionResult, Readable } from "../common/Observable.ts"

/** What screens show of a conversation: failures, notes and what keeps a file from being shown are in words. */
export type ChatItem = UserItem | AssistantItem | ThinkingItem | ToolItem | ErrorItem | AbortedItem | NoteItem

export type Activity = Kept.Activity
export type Delivery = Kept.Delivery
export type TakenBack = Kept.TakenBack

export type ThinkingItem = Kept.ThinkingItem
export type ToolItem = Kept.ToolItem
export type AbortedItem = Kept.AbortedItem

/** A picture, recording or file in a message. */
export interface ChatMedia extends Omit<StoredMedia, "problem"> {
  /** Why it can't be shown, in a few words. */
  readonly problem?: string
}

/** Something nobody in this conversation said: text from the gateway or another session. */
export interface NoteItem extends Pick<Kept.NoteItem, "at" | "key" | "kind"> {
  /** Who said it. */
  readonly from: string
  readonly text: string
}

export interface UserItem extends Omit<Kept.UserItem, "error" | "images"> {
  readonly images: ReadonlyArray<ChatMedia>
  readonly error: string | null
}

export interface AssistantItem extends Omit<Kept.AssistantItem, "media"> {
  readonly media?: ReadonlyArray<ChatMedia>
}

export interface ErrorItem extends Omit<Kept.ErrorItem, "failure"> {
  readonly message: string
}

export interface ChatState extends Omit<Kept.ChatState, "failure" | "items"> {
  readonly message: string | null
  /** Oldest first. Unchanged items keep their identity between states. */
  readonly items: ReadonlyArray<ChatItem>
}

export interface ChatStore {
  readonly state: Readable<ChatState>
  /**
   * Shows the message at once and gives it to the console, which sends it when its turn or its time has come; false
   * if there is nothing to send.
   */
  send(text: string, images?: ReadonlyArray<OutgoingImage>, mode?: OutboxMode, notBefore?: number): boolean
  /** Sends a failed message again. */
  retry(key: string): void
  /** Takes a failed or held message out of the queue and off the screen. */
  takeBack(key: string): Promise<ActionResult<TakenBack>>
  abort(): Promise<ActionResult>
  /**
   * Asks a delivered question again, with another `text` if given. What followed it is removed from the session if
   * the gateway can do that, and kept: by the gateway as a version to switch back to, or else in this browser.
   * Otherwise the question is repeated at the end.
   */
  askAgain(key: string, text?: string): Promise<ActionResult>
  /** The same for the last question, which after a failure is the one that failed; one that wasn't sent is sent. */
  regenerate(): Promise<ActionResult>
  /** What asking a question again removes: the question and everything after it, or nothing. */
  removedBy(key: string): ReadonlyArray<ChatItem>
  loadOlder(): Promise<void>
  /** Keys of the loaded items that a message of the gateway's history became, oldest first. */
  keysOf(messageId: string): ReadonlyArray<string>
  /** The message of the gateway's history that an item shows; null while it isn't known. */
  messageOf(key: string): string | null
  /** Reads all of a message that the gateway cut, and shows it. */
  readWhole(key: string): Promise<ActionResult>
  resync(): Promise<void>
  /** Reports turns that ended without being stopped by this page, for notifications and speech. */
  onTurnEnd(listener: (turn: TurnEnd) => void): () => void
  dispose(): void
}

export interface TurnEnd {
  readonly sessionKey: string
  readonly outcome: "done" | "error" | "aborted"
  /** The response's raw text, as its parts are shown. */
  readonly text: string
  /** The question; null for a turn whose question nobody on this page knows. */
  readonly question: string | null
}
