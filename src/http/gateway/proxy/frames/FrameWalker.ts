import { type FrameHeader, isControl, isLawfulControl, OPCODE, readHeader } from "./frames.ts"

/** Why nothing of a direction should be forwarded any more. */
export type FrameFault =
  /** A message over the limit was announced. */
  | "oversized"
  /** A control frame that's too long or in fragments. */
  | "control"
  /** More frames that carry nothing than a peer has a reason to send. */
  | "flood"

/**
 * How many frames may come between two calls of `calm`. Of pings, pongs and empty messages a few are usual. Of the
 * tiny ones a busy peer sends thousands a second; each costs as much to follow as a large one.
 */
const MOST_EMPTY = 1000
const MOST_TINY = 1_000_000
/** No message of a gateway is as short. */
const TINY_BYTES = 16

/**
 * Follows one direction's frames without touching their bytes, so that data can be forwarded as is and the proxy still
 * knows where it can insert a frame of its own.
 */
export class FrameWalker {
  /** Data messages begun so far. */
  messages = 0
  /** Frames begun so far. */
  frames = 0
  /** Payload bytes announced so far, without control frames. */
  payloadBytes = 0
  /** Everything else that was announced: headers and control frames. */
  otherBytes = 0
  /** Whether a close frame has passed; nothing may follow it. */
  closing = false
  /** Offset in the last chunk at which the close frame began; -1 if it didn't begin there. */
  closeAt = -1
  /** What was wrong first, if anything was. After a message over the limit, nothing more is walked. */
  fault: FrameFault | undefined
  /** Offset in the last chunk at which the frame began that was wrong; -1 if it didn't begin there. */
  faultAt = -1
  /** Whether a message over the limit was announced; its bytes and all later ones aren't walked. */
  oversized = false
  /** Offset in the last chunk at which a frame ended or the first one began; -1 if there was none. */
  boundary = -1
  private remaining = 0
  private messageBytes = 0
  private empty = 0
  private tiny = 0
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  /** Whether everything walked so far ends with a whole frame. */
  get atBoundary(): boolean {
    return this.remaining === 0
  }

  /** How many bytes of the frame begun last are still to come. */
  get missing(): number {
    return this.remaining
  }

  /** Some time has passed, and the peer may send as many empty frames again. */
  calm(): void {
    this.empty = 0
    this.tiny = 0
  }

  /**
   * Walks over a chunk and returns how many of its bytes may be forwarded. The rest is the start of a header, to be
   * passed in again with the bytes that follow, or a message that's too long.
   */
  walk(chunk: Buffer): number {
    this.boundary = -1
    this.closeAt = -1
    this.faultAt = -1
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
      if (header === undefined || this.oversized) return at
      this.frames++
      if (isControl(header.opcode)) this.control(header, at)
      else this.data(header, at)
      if (this.oversized) return at
      at += header.length
      this.remaining = header.payloadLength
    }
  }

  private control(header: FrameHeader, at: number): void {
    this.otherBytes += header.length + header.payloadLength
    if (!isLawfulControl(header)) this.fail("control", at)
    if (header.opcode === OPCODE.close && !this.closing) {
      this.closing = true
      this.closeAt = at
    }
    this.countEmpty(at)
  }

  private data({ final, length, opcode, payloadLength }: FrameHeader, at: number): void {
    if (opcode !== OPCODE.continuation) {
      this.messages++
      this.messageBytes = 0
    }
    this.messageBytes += payloadLength
    this.payloadBytes += payloadLength
    this.otherBytes += length
    if (this.messageBytes > this.limit) {
      this.oversized = true
      this.fail("oversized", at)
    } else if (payloadLength === 0 && !(final && this.messageBytes > 0)) {
      this.countEmpty(at)
    } else if (payloadLength < TINY_BYTES && ++this.tiny > MOST_TINY) {
      // An empty frame is here if it ends a message in fragments, as some peers end theirs.
      this.fail("flood", at)
    }
  }

  private countEmpty(at: number): void {
    if (++this.empty > MOST_EMPTY) this.fail("flood", at)
  }

  private fail(fault: FrameFault, at: number): void {
    if (this.fault !== undefined) return
    this.fault = fault
    this.faultAt = at
  }
}
