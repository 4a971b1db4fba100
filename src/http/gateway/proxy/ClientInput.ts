import type { Socket } from "node:net"
import { Effect } from "effect"
import { FrameWalker } from "./frames/FrameWalker.ts"
import { CLOSE, encodeFrame, NOTHING, OPCODE, readHeader, readPayload } from "./frames/frames.ts"
import { ByteQueue, MessageReader, type PeerFrame } from "./frames/MessageReader.ts"
import { PROXY_LIMITS } from "./proxyLimits.ts"
import { SessionEnd } from "./sockets.ts"

/** The browser's last frame. Both are empty if it left without one. */
interface Goodbye {
  /** As it came, for the gateway. */
  readonly frame: Buffer
  /** The same as an answer to the browser. */
  readonly reply: Buffer
}

const WITHOUT_A_WORD: Goodbye = { frame: NOTHING, reply: NOTHING }

/** Buffers what the browser sends until the session is relayed, within limits. */
export class ClientInput {
  private readonly socket: Socket
  private readonly walker = new FrameWalker(PROXY_LIMITS.messageBytes)
  private readonly reader = new MessageReader(PROXY_LIMITS.handshakeBytes)
  private carry: Buffer = NOTHING
  private later = new ByteQueue()
  private bytes = 0
  private isHandshake = false
  private upstreamOpen = false
  private firstFrame: PeerFrame | undefined
  private failure: SessionEnd | undefined
  private wake: () => void = () => undefined
  private closing: Buffer | undefined
  private goodbye: Goodbye | undefined

  constructor(socket: Socket) {
    this.socket = socket
    socket.on("data", this.onData)
    socket.on("end", this.onEnd)
    socket.on("close", this.onEnd)
    socket.resume()
  }

  /** The browser's first message, the same one however often it's requested. */
  readonly first: Effect.Effect<PeerFrame> = Effect.callback((resume) => {
    const look = () => {
      const frame = this.lookForFirst()
      if (frame !== undefined) resume(Effect.succeed(frame))
    }
    this.onFirst = look
    look()
  })

  /** Succeeds as soon as the browser has closed the session or is disconnected. */
  readonly left: Effect.Effect<void> = Effect.callback((resume) => {
    const look = () => {
      if (this.hasLeft) resume(Effect.void)
    }
    this.onLeft = look
    look()
  })

  /** Never succeeds; fails as soon as the browser has sent more than the buffer holds, or what it may not. */
  readonly failed: Effect.Effect<never, SessionEnd> = Effect.callback((resume) => {
    const look = () => {
      if (this.failure !== undefined) resume(Effect.fail(this.failure))
    }
    this.wake = look
    look()
  })

  private onFirst: () => void = () => undefined
  private onLeft: () => void = () => undefined

  get hasLeft(): boolean {
    return this.goodbye !== undefined
  }

  /** The browser's first message, if it's there. */
  get firstSoFar(): PeerFrame | undefined {
    return this.lookForFirst()
  }

  /** Drops everything but the close frame of a browser that has left. */
  sayGoodbye(): Goodbye {
    this.reader.rest()
    this.later = new ByteQueue()
    return this.goodbye ?? WITHOUT_A_WORD
  }

  /** From now on, slows the browser down instead of disconnecting it if it sends too much, unless that's a handshake. */
  upstreamOpened(): void {
    this.upstreamOpen = true
  }

  /** The first message is a handshake, before whose end there's nothing more to say. */
  handshakeBegan(): void {
    this.isHandshake = true
    this.check()
  }

  /** Stops buffering and returns everything after the first message, or including it if it wasn't taken. */
  detach(): Buffer {
    this.socket.off("data", this.onData)
    this.socket.off("end", this.onEnd)
    this.socket.off("close", this.onEnd)
    this.socket.pause()
    return Buffer.concat([this.reader.rest(), this.later.take(this.later.length)])
  }

  private readonly onEnd = (): void => this.leave(WITHOUT_A_WORD)

  private leave(goodbye: Goodbye): void {
    this.goodbye ??= goodbye
    this.onLeft()
  }

  private fail(end: SessionEnd): void {
    this.failure ??= end
    this.wake()
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.failure !== undefined) return
    this.count(chunk)
    if (this.failure !== undefined) return
    if (this.firstFrame === undefined) this.reader.push(chunk)
    else this.later.push(chunk)
    this.onFirst()
  }

  private count(chunk: Buffer): void {
    const walked = this.carry.length === 0 ? chunk : Buffer.concat([this.carry, chunk])
    const whole = this.walker.walk(walked)
    this.carry = whole < walked.length ? walked.subarray(whole) : NOTHING
    this.bytes += chunk.length
    this.check()
    if (this.failure !== undefined) return
    if (this.walker.closeAt >= 0) this.readClose(walked.subarray(this.walker.closeAt))
    else if (this.closing !== undefined) this.readClose(Buffer.concat([this.closing, chunk]))
  }

  private check(): void {
    const { fault } = this.walker
    if (fault === "oversized") this.fail(SessionEnd.with(CLOSE.tooLarge))
    else if (fault === "control") this.fail(SessionEnd.with(CLOSE.broken))
    else if (this.isTooMuch) this.fail(SessionEnd.with(CLOSE.tooManyPending))
    else if (this.bytes > PROXY_LIMITS.pendingBytes && this.upstreamOpen) this.socket.pause()
  }

  private get isTooMuch(): boolean {
    const { frames, messages, otherBytes, payloadBytes } = this.walker
    const { handshakeFrames, handshakeRawBytes, pendingBytes, pendingMessages } = PROXY_LIMITS
    // What isn't a handshake is relayed as soon as the connection is open.
    if (this.upstreamOpen && this.firstFrame !== undefined && !this.isHandshake) return false
    if (frames > handshakeFrames || (this.isHandshake ? this.bytes : otherBytes) > handshakeRawBytes) return true
    return !this.upstreamOpen && (messages > pendingMessages || payloadBytes > pendingBytes)
  }

  private readClose(bytes: Buffer): void {
    this.closing = bytes
    const header = readHeader(bytes, 0)
    if (header === undefined || bytes.length < header.length + header.payloadLength) return
    this.closing = undefined
    const frame = bytes.subarray(0, header.length + header.payloadLength)
    this.leave({ frame, reply: encodeFrame(OPCODE.close, readPayload(bytes, 0, header)) })
  }

  private lookForFirst(): PeerFrame | undefined {
    while (this.firstFrame === undefined) {
      const frame = this.reader.next()
      if (frame === undefined) return undefined
      if (frame._tag !== "control") {
        this.firstFrame = frame
      } else if (frame.opcode === OPCODE.close) {
        return undefined
      } else if (frame.opcode === OPCODE.ping) {
        this.socket.write(encodeFrame(OPCODE.pong, frame.payload))
      }
    }
    return this.firstFrame
  }
}
