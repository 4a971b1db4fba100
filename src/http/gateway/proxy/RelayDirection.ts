import type { Socket } from "node:net"
import { giveBack } from "../../../node/takeOver.ts"
import { type FrameFault, FrameWalker } from "./frames/FrameWalker.ts"
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
  hasReceived = true
  private readonly from: RelayEnd
  private readonly to: RelayEnd
  private readonly walker = new FrameWalker(PROXY_LIMITS.messageBytes)
  private readonly onFault: (fault: FrameFault) => void
  private carry: Buffer | undefined
  private interjection: Buffer | undefined
  private lastWords: CloseStatus | undefined
  /** Whether what's wrong was kept back, so that the receiver has whole frames. */
  private isKeptBack = false

  constructor(from: RelayEnd, to: RelayEnd, onFault: (fault: FrameFault) => void) {
    this.from = from
    this.to = to
    this.onFault = onFault
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

  /** A while has passed, in which the sender may have sent some frames that carry nothing. */
  calm(): void {
    this.walker.calm()
  }

  /** Sends one of the proxy's own frames to the receiver, as soon as there's a gap between the sender's frames. */
  interject(frame: Buffer): void {
    if (this.walker.closing || this.lastWords !== undefined || !this.to.socket.writable) return
    if (this.walker.atBoundary) this.to.socket.write(frame)
    else this.interjection = frame
  }

  /** Ends the stream to the receiver, with a close frame if the sender didn't send one. */
  finish(status: CloseStatus): void {
    const { socket } = this.to
    if (!socket.writable) return
    if (this.walker.closing && !this.isKeptBack) socket.end()
    else if (this.walker.atBoundary || this.isKeptBack) socket.end(encodeClose(status, this.to.key()))
    else socket.destroy()
  }

  /** Forwards only the rest of the current frame, then ends the stream to the receiver. */
  cut(status: CloseStatus): void {
    const isInFrame = !(this.walker.closing || this.walker.atBoundary || this.isKeptBack)
    if (isInFrame) this.lastWords = status
    else this.finish(status)
  }

  private readonly onDrain = (): void => {
    this.from.socket.resume()
  }

  private readonly onData = (chunk: Buffer): void => {
    this.hasReceived = true
    if (!this.to.socket.writable || this.walker.fault !== undefined) return
    if (this.lastWords === undefined) this.pass(chunk)
    else this.passLast(chunk, this.lastWords)
  }

  private pass(chunk: Buffer): void {
    const target = this.to.socket
    const bytes = this.carry === undefined ? chunk : Buffer.concat([this.carry, chunk])
    const whole = this.walker.walk(bytes)
    const { fault } = this.walker
    if (fault === "flood" || fault === "control") {
      this.keepBack(bytes.subarray(0, this.walker.faultAt), fault)
      return
    }
    this.carry = whole < bytes.length ? bytes.subarray(whole) : undefined
    this.write(whole < bytes.length ? bytes.subarray(0, whole) : bytes)
    if (whole === chunk.length && bytes === chunk) giveBack(chunk, target)
    if (fault !== undefined) this.onFault(fault)
    else if (target.writableLength >= PROXY_LIMITS.writeBacklog) this.from.socket.pause()
  }

  private keepBack(before: Buffer, fault: FrameFault): void {
    this.isKeptBack = true
    if (before.length > 0) this.to.socket.write(before)
    this.onFault(fault)
  }

  private passLast(chunk: Buffer, status: CloseStatus): void {
    const last = chunk.subarray(0, this.walker.missing)
    this.walker.walk(last)
    this.to.socket.write(last)
    if (this.walker.atBoundary) this.finish(status)
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
