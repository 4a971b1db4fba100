import { type FrameHeader, NOTHING, OPCODE, readHeader, readPayload } from "./frames.ts"

/** What a peer sent; `raw` is exactly the bytes it took. */
export type PeerFrame =
  | { readonly _tag: "message"; readonly opcode: number; readonly payload: Buffer; readonly raw: Buffer }
  | { readonly _tag: "control"; readonly opcode: number; readonly payload: Buffer; readonly raw: Buffer }
  /** What follows is too long or not a valid frame: only its bytes can be passed on. */
  | { readonly _tag: "opaque" }

/** Assembles whole messages from one direction's bytes, including fragments, up to a maximum length. */
export class MessageReader {
  private bytes: Buffer = NOTHING
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  push(chunk: Buffer): void {
    this.bytes = this.bytes.length === 0 ? chunk : Buffer.concat([this.bytes, chunk])
  }

  /** Takes the next message or control frame; `undefined` if it's not complete yet. */
  next(): PeerFrame | undefined {
    const payloads: Array<Buffer> = []
    let opcode: number | undefined
    let length = 0
    let at = 0
    for (;;) {
      const header = readHeader(this.bytes, at)
      if (header === undefined) return undefined
      if (!this.fits(header, length, opcode)) return { _tag: "opaque" }
      const end = at + header.length + header.payloadLength
      if (this.bytes.length < end) return undefined
      const payload = readPayload(this.bytes, at, header)
      if (header.opcode >= OPCODE.close) {
        if (opcode === undefined) return { _tag: "control", opcode: header.opcode, payload, raw: this.take(end) }
      } else {
        opcode ??= header.opcode
        length += header.payloadLength
        payloads.push(payload)
        if (header.final) return { _tag: "message", opcode, payload: Buffer.concat(payloads), raw: this.take(end) }
      }
      at = end
    }
  }

  /** Everything pushed but not taken. */
  rest(): Buffer {
    return this.take(this.bytes.length)
  }

  private fits(header: FrameHeader, length: number, opcode: number | undefined): boolean {
    if (!header.valid) return false
    if (header.opcode >= OPCODE.close) return header.final && header.payloadLength <= 125
    return (
      (header.opcode === OPCODE.continuation) === (opcode !== undefined) && length + header.payloadLength <= this.limit
    )
  }

  private take(end: number): Buffer {
    const taken = this.bytes.subarray(0, end)
    this.bytes = end < this.bytes.length ? this.bytes.subarray(end) : NOTHING
    return taken
  }
}
