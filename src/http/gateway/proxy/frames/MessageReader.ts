import { type FrameHeader, isControl, isLawfulControl, NOTHING, OPCODE, readHeader, readPayload } from "./frames.ts"

/** Pieces are joined up to this size, so that bytes that come one by one don't each take an object. */
const JOINED_BYTES = 65_536

/** Bytes in the order of arrival. None is copied more than a few times, whatever the sizes of the pieces. */
export class ByteQueue {
  private pieces: Array<Buffer> = []
  private size = 0

  get length(): number {
    return this.size
  }

  push(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.size += bytes.length
    let last = bytes
    // Only with one that isn't longer: each byte is copied at most once for every doubling.
    for (let before = this.pieces.at(-1); before !== undefined; before = this.pieces.at(-1)) {
      if (before.length > last.length || before.length + last.length > JOINED_BYTES) break
      this.pieces.pop()
      last = Buffer.concat([before, last])
    }
    this.pieces.push(last)
  }

  /** The next bytes, at most `count`, which stay in the queue; copied only if they're in several pieces. */
  peek(count: number): Buffer {
    const first = this.pieces[0] ?? NOTHING
    if (first.length >= count || this.pieces.length < 2) return first.subarray(0, count)
    const parts: Array<Buffer> = []
    let found = 0
    for (const piece of this.pieces) {
      if (found >= count) break
      parts.push(piece.subarray(0, count - found))
      found += piece.length
    }
    return Buffer.concat(parts)
  }

  /** The next bytes, at most `count`, out of the queue. */
  take(count: number): Buffer {
    const taken = this.peek(count)
    let left = taken.length
    this.size -= left
    let used = 0
    for (const piece of this.pieces) {
      if (piece.length > left) {
        if (left > 0) this.pieces[used] = piece.subarray(left)
        break
      }
      left -= piece.length
      used += 1
    }
    this.pieces = used === this.pieces.length ? [] : this.pieces.slice(used)
    return taken.length === 0 ? NOTHING : taken
  }
}

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
