import type { Socket } from "node:net"
import { Effect } from "effect"
import { CLOSE } from "./frames/frames.ts"
import { MessageReader, type PeerFrame } from "./frames/MessageReader.ts"
import { PROXY_LIMITS } from "./proxyLimits.ts"
import { SessionEnd } from "./sockets.ts"

/** The connection ended without a close frame. */
export interface Ended {
  readonly _tag: "ended"
}

/**
 * Reads the gateway's messages one at a time during the handshake; nothing is read in between. What the gateway may send
 * is limited, except for its answer to `connect`, which lists everything it can and knows.
 */
export class UpstreamInput {
  readonly socket: Socket
  private readonly reader = new MessageReader(PROXY_LIMITS.handshakeAnswerBytes)
  private ready: PeerFrame | undefined
  private takenBytes = 0
  private isAsked = false

  constructor(socket: Socket) {
    this.socket = socket
    socket.pause()
  }

  /**
   * The next message or control frame, the same one until it's taken, so that losing a race loses no message. Fails if
   * the gateway sends what it may not.
   */
  readonly next: Effect.Effect<PeerFrame | Ended, SessionEnd> = Effect.callback((resume) => {
    const socket = this.socket
    const stop = () => {
      socket.pause()
      socket.off("data", onData)
      socket.off("end", onEnd)
      socket.off("close", onEnd)
    }
    const settle = (answer: Effect.Effect<PeerFrame | Ended, SessionEnd>) => {
      stop()
      resume(answer)
    }
    const onEnd = () => settle(Effect.succeed({ _tag: "ended" }))
    const onData = (chunk: Buffer) => {
      this.reader.push(chunk)
      const answer = this.look()
      if (answer !== undefined) settle(answer)
    }
    const answer = this.look()
    if (answer !== undefined) return resume(answer)
    if (socket.destroyed) return resume(Effect.succeed({ _tag: "ended" }))
    socket.on("data", onData)
    socket.on("end", onEnd)
    socket.on("close", onEnd)
    socket.resume()
    return Effect.sync(stop)
  })

  /** Moves past the frame that `next` returned. */
  take(): void {
    const { ready } = this
    if (ready !== undefined && ready._tag !== "opaque") this.takenBytes += ready.raw.length
    this.ready = undefined
  }

  /** `connect` has been sent: the next long message may be its answer. */
  asked(): void {
    this.isAsked = true
  }

  /** Everything read but not taken. */
  rest(): Buffer {
    const { ready } = this
    return ready === undefined || ready._tag === "opaque"
      ? this.reader.rest()
      : Buffer.concat([ready.raw, this.reader.rest()])
  }

  private look(): Effect.Effect<PeerFrame, SessionEnd> | undefined {
    const { reader } = this
    this.ready ??= reader.next()
    if (reader.broken) return Effect.fail(SessionEnd.with(CLOSE.brokenGateway))
    if (reader.frames > PROXY_LIMITS.handshakeFrames || this.countedBytes > PROXY_LIMITS.handshakeRawBytes) {
      return Effect.fail(SessionEnd.with(CLOSE.floodingGateway))
    }
    return this.ready === undefined ? undefined : Effect.succeed(this.ready)
  }

  private get countedBytes(): number {
    if (this.ready !== undefined || (this.isAsked && this.reader.isInOneFrame)) return this.takenBytes
    return this.takenBytes + this.reader.pending
  }
}
