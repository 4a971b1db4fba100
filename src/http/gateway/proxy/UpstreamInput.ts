import type { Socket } from "node:net"
import { Effect } from "effect"
import { MessageReader, type PeerFrame } from "./frames/MessageReader.ts"
import { PROXY_LIMITS } from "./proxyLimits.ts"

/** The connection ended without a close frame. */
export interface Ended {
  readonly _tag: "ended"
}

/** Reads the gateway's messages one at a time during the handshake; nothing is read in between. */
export class UpstreamInput {
  readonly socket: Socket
  private readonly reader = new MessageReader(PROXY_LIMITS.handshakeAnswerBytes)
  private ready: PeerFrame | undefined

  constructor(socket: Socket) {
    this.socket = socket
    socket.pause()
  }

  /** The next message or control frame, the same one until it's taken, so that losing a race loses no message. */
  readonly next: Effect.Effect<PeerFrame | Ended> = Effect.callback((resume) => {
    const socket = this.socket
    const stop = () => {
      socket.pause()
      socket.off("data", onData)
      socket.off("end", onEnd)
      socket.off("close", onEnd)
    }
    const settle = (frame: PeerFrame | Ended) => {
      stop()
      resume(Effect.succeed(frame))
    }
    const onEnd = () => settle({ _tag: "ended" })
    const onData = (chunk: Buffer) => {
      this.reader.push(chunk)
      this.ready = this.reader.next()
      if (this.ready !== undefined) settle(this.ready)
    }
    this.ready ??= this.reader.next()
    if (this.ready !== undefined) return resume(Effect.succeed(this.ready))
    if (socket.destroyed) return resume(Effect.succeed({ _tag: "ended" }))
    socket.on("data", onData)
    socket.on("end", onEnd)
    socket.on("close", onEnd)
    socket.resume()
    return Effect.sync(stop)
  })

  /** Moves past the frame that `next` returned. */
  take(): void {
    this.ready = undefined
  }

  /** Everything read but not taken. */
  rest(): Buffer {
    const { ready } = this
    return ready === undefined || ready._tag === "opaque"
      ? this.reader.rest()
      : Buffer.concat([ready.raw, this.reader.rest()])
  }
}
