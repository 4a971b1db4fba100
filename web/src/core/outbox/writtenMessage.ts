import type { OutboxMode } from "../../../../src/contract/outbox.ts"
import type { OutgoingImage } from "../conversation/chatTypes.ts"

/** A message that a person wrote here. */
export interface WrittenMessage {
  /** A UUID; the same message is never taken twice under it. */
  readonly id: string
  readonly sessionKey: string
  readonly text: string
  readonly images: ReadonlyArray<OutgoingImage>
  readonly mode: OutboxMode
  /** Epoch milliseconds before which it isn't sent. */
  readonly notBefore?: number
  /** When it was written, epoch milliseconds by this browser's clock. */
  readonly at: number
}

/** Messages that the console doesn't have yet; they survive the page. */
export interface KeptMessages {
  all(): Promise<ReadonlyArray<WrittenMessage>>
  put(message: WrittenMessage): Promise<void>
  /** Whether it was still there: of several pages, one takes it out. */
  remove(id: string): Promise<boolean>
}
