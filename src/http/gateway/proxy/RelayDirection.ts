import type { Socket } from "node:net"
import { giveBack } from "../../../node/giveBack.ts"
import { FrameWalker } from "./frames/FrameWalker.ts"
import { type CloseStatus, encodeClose, NOTHING } from "./frames/frames.ts"
import { PROXY_LIMITS } from "./proxyLimits.ts"

/** One end of a relayed session. */
export class RelayEnd {
  readonly socket: Socket
  /** A masking key for the proxy's own frames, if this end is a server. */
  readonly key: () => Buffer | undefined
  private received: Buffer

  constructor(socket: Socket, received: Buffer, key: () => Buffer | undefined) {
    this.socket = socket
    this.received = received
    this.key = key
  }

  /** Takes bytes from this end that arrived before the relay began and haven't been passed on. */
  takeReceived(): Buffer {
    const { received } = this
    this.received = NOTHING
    return received
  }
}

/**
 * Copies bytes from one end to the other. Nothing is buffered but the start of a frame header; if the reader is slow,
 * the writer's socket is paused.
 */
export class RelayDirection {
  /** Whether the sender has shown signs of life since this was last cleared. */
  heard = true
  private readonly from: RelayEnd
  private readonly to: RelayEnd
  private readonly walker = new FrameWalker(PROXY_LIMITS.messageBytes)
  private readonly onOversized: () => void
  private carry: Buffer | undefined
  private interjection: Buffer | undefined

  constructor(from: RelayEnd, to: RelayEnd, onOversized: () => void) {
    this.from = from
    this.to = to
    this.onOversized = onOversized
  }

  /** Passes on what was received earlier, then everything else. */
  start(): void {
    const received = this.from.takeReceived()
    if (received.length > 0) this.onData(received)
    this.from.socket.on("data", this.onData)
    this.to.socket.on("drain", this.onDrain)
    if (this.to.socket.writableLength < PROXY_LIMITS.writeBacklog) this.from.socket.resume()
  }

  stop(): void {
    this.from.socket.off("data", this.onData)
    this.to.socket.off("drain", this.onDrain)
  }

  /** Whether the sender's close frame has passed. */
  get closing(): boolean {
    return this.walker.closing
  }

  /** Sends one of the proxy's own frames to the receiver, as soon as there's a gap between the sender's frames. */
  interject(frame: Buffer): void {
    if (this.walker.closing || !this.to.socket.writable) return
    if (this.walker.atBoundary) this.to.socket.write(frame)
    else this.interjection = frame
  }

  /** Tells the receiver that nothing more is coming, with a close frame if the sender didn't send one. */
  finish(status: CloseStatus): void {
    const { socket } = this.to
    if (!socket.writable) return
    if (this.walker.closing) socket.end()
    else if (this.walker.atBoundary) socket.end(encodeClose(status, this.to.key()))
    else socket.destroy()
  }

  private readonly onDrain = (): void => {
    this.from.socket.resume()
  }

  private readonly onData = (chunk: Buffer): void => {
    this.heard = true
    const target = this.to.socket
    if (!target.writable || this.walker.oversized) return
    const bytes = this.carry === undefined ? chunk : Buffer.concat([this.carry, chunk])
    const whole = this.walker.walk(bytes)
    this.carry = whole < bytes.length ? bytes.subarray(whole) : undefined
    this.write(whole < bytes.length ? bytes.subarray(0, whole) : bytes)
    if (whole === chunk.length && bytes === chunk) giveBack(chunk, target)
    if (this.walker.oversized) this.onOversized()
    else if (target.writableLength >= PROXY_LIMITS.writeBacklog) this.from.socket.pause()
  }

  private write(bytes: Buffer): void {
    const target = this.to.socket
    const gap = this.walker.boundary
    if (this.interjection === undefined || gap < 0) {
      if (bytes.length > 0) target.write(bytes)
      return
    }
    target.write(bytes.subarray(0, gap))
    if (!this.walker.closing) target.write(this.interjection)
    target.write(bytes.subarray(gap))
    this.interjection = undefined
  }
}
