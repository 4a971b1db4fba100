import { OPCODE, readHeader } from "./frames.ts"

/**
 * Follows one direction's frames without touching their bytes, so that data can be forwarded as is and the proxy still
 * knows where it can insert a frame of its own.
 */
export class FrameWalker {
  /** Data messages begun so far. */
  messages = 0
  /** Payload bytes announced so far, without control frames. */
  payloadBytes = 0
  /** Whether a close frame has passed; nothing may follow it. */
  closing = false
  /** Offset in the last chunk at which the close frame began; -1 if it didn't begin there. */
  closeAt = -1
  /** Whether a message over the limit was announced; its bytes and all later ones aren't walked. */
  oversized = false
  /** Offset in the last chunk at which a frame ended or the first one began; -1 if there was none. */
  boundary = -1
  private remaining = 0
  private messageBytes = 0
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  /** Whether everything walked so far ends with a whole frame. */
  get atBoundary(): boolean {
    return this.remaining === 0
  }

  /**
   * Walks over a chunk and returns how many of its bytes may be forwarded. The rest is the start of a header, to be
   * passed in again with the bytes that follow, or a message that's too long.
   */
  walk(chunk: Buffer): number {
    this.boundary = -1
    this.closeAt = -1
    let at = 0
    for (;;) {
      const available = chunk.length - at
      if (available < this.remaining) {
        this.remaining -= available
        return chunk.length
      }
      at += this.remaining
      this.remaining = 0
      this.boundary = at
      const header = readHeader(chunk, at)
      if (header === undefined) return at
      if (header.opcode <= OPCODE.binary) {
        if (header.opcode !== OPCODE.continuation) {
          this.messages++
          this.messageBytes = 0
        }
        this.messageBytes += header.payloadLength
        this.payloadBytes += header.payloadLength
        if (this.messageBytes > this.limit) {
          this.oversized = true
          return at
        }
      } else if (header.opcode === OPCODE.close && !this.closing) {
        this.closing = true
        this.closeAt = at
      }
      at += header.length
      this.remaining = header.payloadLength
    }
  }
}
