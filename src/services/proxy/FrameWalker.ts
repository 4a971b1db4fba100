import { OPCODE, readHeader } from "./frames.ts"

/**
 * Follows the frames of one direction without touching their bytes, so that what passes can be forwarded as it is and
 * the proxy still knows where a frame of its own may stand between two others.
 */
export class FrameWalker {
  /** Data messages begun so far. */
  messages = 0
  /** Payload bytes announced so far, control frames left out. */
  payloadBytes = 0
  /** A close frame has passed: nothing may follow it. */
  closing = false
  /** A message longer than the limit was announced; its first byte and all later ones are not walked. */
  oversized = false
  /** Offset in the chunk walked last at which a frame ended or the first one began; -1 when there was none. */
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
   * Walks over a chunk and returns how many of its bytes may be forwarded. What is left is the beginning of a header,
   * to be given again with the bytes that follow it, or the message that is too long.
   */
  walk(chunk: Buffer): number {
    this.boundary = -1
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
      } else if (header.opcode === OPCODE.close) {
        this.closing = true
      }
      at += header.length
      this.remaining = header.payloadLength
    }
  }
}
