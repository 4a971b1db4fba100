import type { Socket } from "node:net"
import { Effect } from "effect"
import { CLOSE } from "../../services/proxy/closeStatus.ts"
import { FrameWalker } from "../../services/proxy/FrameWalker.ts"
import { encodeFrame, NOTHING, OPCODE } from "../../services/proxy/frames.ts"
import { MessageReader, type PeerFrame } from "../../services/proxy/MessageReader.ts"
import { PROXY_LIMITS } from "../../services/proxy/proxyLimits.ts"
import { SessionEnd } from "./SessionEnd.ts"

/** What the browser sends while the upstream connection is not ready for it yet, within the limits for that. */
export class ClientInput {
  private readonly socket: Socket
  private readonly walker = new FrameWalker(PROXY_LIMITS.messageBytes)
  private readonly reader = new MessageReader(PROXY_LIMITS.handshakeBytes)
  private carry: Buffer = NOTHING
  private later: Array<Buffer> = []
  private bytes = 0
  private upstreamOpen = false
  private firstFrame: PeerFrame | undefined
  private failure: SessionEnd | undefined
  private wake: () => void = () => undefined

  constructor(socket: Socket) {
    this.socket = socket
    socket.on("data", this.onData)
    socket.on("end", this.onEnd)
    socket.on("close", this.onEnd)
    socket.resume()
  }

  /** The browser's first message, however often it is asked for. */
  readonly first: Effect.Effect<PeerFrame> = Effect.callback((resume) => {
    const look = () => {
      const frame = this.lookForFirst()
      if (frame !== undefined) resume(Effect.succeed(frame))
    }
    this.onFirst = look
    look()
  })

  /** Never succeeds; fails as soon as the browser has sent more than may wait, or is gone. */
  readonly failed: Effect.Effect<never, SessionEnd> = Effect.callback((resume) => {
    const look = () => {
      if (this.failure !== undefined) resume(Effect.fail(this.failure))
    }
    this.wake = look
    look()
  })

  private onFirst: () => void = () => undefined

  /** From now on the browser is made to wait instead of being disconnected when it sends too much. */
  upstreamOpened(): void {
    this.upstreamOpen = true
  }

  /** Ends the buffering and gives everything that came after the first message, or with it where nobody took it. */
  detach(): Buffer {
    this.socket.off("data", this.onData)
    this.socket.off("end", this.onEnd)
    this.socket.off("close", this.onEnd)
    this.socket.pause()
    return Buffer.concat([this.reader.rest(), ...this.later.splice(0)])
  }

  private readonly onEnd = (): void => this.fail(SessionEnd.with(CLOSE.clientGone))

  private fail(end: SessionEnd): void {
    this.failure ??= end
    this.wake()
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.failure !== undefined) return
    this.count(chunk)
    if (this.firstFrame === undefined) this.reader.push(chunk)
    else this.later.push(chunk)
    this.onFirst()
  }

  private count(chunk: Buffer): void {
    const walked = this.carry.length === 0 ? chunk : Buffer.concat([this.carry, chunk])
    const whole = this.walker.walk(walked)
    this.carry = whole < walked.length ? walked.subarray(whole) : NOTHING
    this.bytes += chunk.length
    const { messages, oversized, payloadBytes } = this.walker
    if (oversized) this.fail(SessionEnd.with(CLOSE.tooLarge))
    if (this.upstreamOpen) {
      if (this.bytes > PROXY_LIMITS.pendingBytes) this.socket.pause()
    } else if (messages > PROXY_LIMITS.pendingMessages || payloadBytes > PROXY_LIMITS.pendingBytes) {
      this.fail(SessionEnd.with(CLOSE.tooManyPending))
    }
  }

  private lookForFirst(): PeerFrame | undefined {
    while (this.firstFrame === undefined) {
      const frame = this.reader.next()
      if (frame === undefined) return undefined
      if (frame._tag !== "control") {
        this.firstFrame = frame
      } else if (frame.opcode === OPCODE.close) {
        this.fail(new SessionEnd({ farewell: encodeFrame(OPCODE.close, frame.payload) }))
        return undefined
      } else if (frame.opcode === OPCODE.ping) {
        this.socket.write(encodeFrame(OPCODE.pong, frame.payload))
      }
    }
    return this.firstFrame
  }
}
