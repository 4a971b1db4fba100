import { ByteQueue } from "./ByteQueue.ts"
import { type FrameHeader, isControl, isLawfulControl, NOTHING, OPCODE, readHeader, readPayload } from "./frames.ts"

/** What a peer sent; `raw` is exactly the bytes it took. */
export type PeerFrame =
  | { readonly _tag: "message"; readonly opcode: number; readonly payload: Buffer; readonly raw: Buffer }
  | { readonly _tag: "control"; readonly opcode: number; readonly payload: Buffer; readonly raw: Buffer }
  /** What follows is too long or not a valid frame: only its bytes can be passed on. */
  | { readonly _tag: "opaque" }

/** Bytes of the longest frame header. */
const LONGEST_HEADER = 14

/** Assembles whole messages from one direction's bytes, including fragments, up to a maximum length. */
export class MessageReader {
  /** Frames begun so far. */
  frames = 0
  /** Whether a control frame began that no peer may send. */
  broken = false
  private readonly limit: number
  private readonly queue = new ByteQueue()
  /** The header of the frame whose payload is still coming. */
  private header: FrameHeader | undefined
  private isOpaque = false
  /** The message in progress: its frames, control frames among them included, and its payloads. */
  private taken: Array<Buffer> = []
  private takenBytes = 0
  private payloads: Array<Buffer> = []
  private payloadBytes = 0
  private opcode: number | undefined

  constructor(limit: number) {
    this.limit = limit
  }

  /** Bytes pushed but not yet returned as a message. */
  get pending(): number {
    return this.takenBytes + this.queue.length
  }

  /** Whether what's pending is nothing but the start of a message in one frame. */
  get isInOneFrame(): boolean {
    const { header } = this
    return header !== undefined && this.takenBytes === 0 && header.final && !isControl(header.opcode)
  }

  push(chunk: Buffer): void {
    this.queue.push(chunk)
  }

  /** Takes the next message or control frame; `undefined` if it's not complete yet. */
  next(): PeerFrame | undefined {
    for (;;) {
      if (this.isOpaque) return { _tag: "opaque" }
      const header = this.header ?? readHeader(this.queue.peek(LONGEST_HEADER), 0)
      if (header === undefined) return undefined
      if (this.header === undefined) this.begin(header)
      if (this.isOpaque) continue
      const length = header.length + header.payloadLength
      if (this.queue.length < length) return undefined
      this.header = undefined
      const frame = this.queue.take(length)
      const payload = readPayload(frame, 0, header)
      if (isControl(header.opcode) && this.opcode === undefined) {
        return { _tag: "control", opcode: header.opcode, payload, raw: frame }
      }
      this.taken.push(frame)
      this.takenBytes += length
      if (isControl(header.opcode)) continue
      this.opcode ??= header.opcode
      this.payloads.push(payload)
      this.payloadBytes += payload.length
      if (header.final) return this.finish(this.opcode)
    }
  }

  /** Everything pushed but not taken. */
  rest(): Buffer {
    const rest = Buffer.concat([...this.taken, this.queue.take(this.queue.length)])
    this.forget()
    this.header = undefined
    this.isOpaque = false
    return rest.length === 0 ? NOTHING : rest
  }

  private begin(header: FrameHeader): void {
    this.frames += 1
    this.broken ||= isControl(header.opcode) && !isLawfulControl(header)
    this.isOpaque = this.broken || !this.fits(header)
    this.header = header
  }

  private fits(header: FrameHeader): boolean {
    if (!header.valid || isControl(header.opcode)) return header.valid
    const isNext = (header.opcode === OPCODE.continuation) === (this.opcode !== undefined)
    return isNext && this.payloadBytes + header.payloadLength <= this.limit
  }

  private finish(opcode: number): PeerFrame {
    const [first = NOTHING, ...more] = this.payloads
    const [frame = NOTHING, ...frames] = this.taken
    const payload = more.length === 0 ? first : Buffer.concat(this.payloads)
    const raw = frames.length === 0 ? frame : Buffer.concat(this.taken)
    this.forget()
    return { _tag: "message", opcode, payload, raw }
  }

  private forget(): void {
    this.taken = []
    this.takenBytes = 0
    this.payloads = []
    this.payloadBytes = 0
    this.opcode = undefined
  }
}
