import type { Socket } from "node:net"
import { Effect } from "effect"
import { CLOSE } from "./frames/closeStatus.ts"
import { type CloseStatus, encodeFrame, NOTHING, OPCODE } from "./frames/frames.ts"
import { PROXY_LIMITS } from "./proxyLimits.ts"
import { RelayDirection, RelayEnd } from "./RelayDirection.ts"
import { closed, maskingKey } from "./sockets.ts"

const noKey = (): undefined => undefined

/** The browser's end: it is a client, so frames for it are not masked. */
export const clientEnd = (socket: Socket, received: Buffer): RelayEnd => new RelayEnd(socket, received, noKey)

/** The gateway's end: it is a server, so frames for it are masked. */
export const upstreamEnd = (socket: Socket, received: Buffer): RelayEnd => new RelayEnd(socket, received, maskingKey)

/** One end with the traffic to and from it. */
class RelayPeer {
  readonly end: RelayEnd
  readonly outgoing: RelayDirection
  readonly incoming: RelayDirection
  /** What the other end is told if this one is lost. */
  readonly loss: CloseStatus
  private drained = false
  private pinged = false

  constructor(end: RelayEnd, outgoing: RelayDirection, incoming: RelayDirection, loss: CloseStatus) {
    this.end = end
    this.outgoing = outgoing
    this.incoming = incoming
    this.loss = loss
    end.socket.on("drain", this.onDrain)
  }

  stop(): void {
    this.end.socket.off("drain", this.onDrain)
  }

  /** Sends a ping, or reports the end dead if the last ping brought no sign of life. */
  ping(): boolean {
    const unheard = !this.outgoing.heard && !this.drained && !this.end.socket.isPaused()
    if (this.pinged && unheard) return false
    this.outgoing.heard = false
    this.drained = false
    this.pinged = true
    this.incoming.interject(encodeFrame(OPCODE.ping, NOTHING, this.end.key()))
    return true
  }

  private readonly onDrain = (): void => {
    this.drained = true
  }
}

/** Two joined ends. Waiting takes no fiber, timer or buffer of its own, since most sessions idle. */
class JoinedEnds {
  private readonly up: RelayDirection
  private readonly down: RelayDirection
  private readonly peers: readonly [client: RelayPeer, upstream: RelayPeer]
  private isEnding = false
  private wake: (() => void) | undefined

  constructor(client: RelayEnd, upstream: RelayEnd) {
    this.up = new RelayDirection(client, upstream, this.refuseOversized)
    this.down = new RelayDirection(upstream, client, this.refuseOversized)
    this.peers = [
      new RelayPeer(client, this.up, this.down, CLOSE.clientGone),
      new RelayPeer(upstream, this.down, this.up, CLOSE.lost)
    ]
  }

  start(): void {
    const [client, upstream] = this.peers
    client.end.socket.on("end", this.clientEnded).on("close", this.clientEnded)
    upstream.end.socket.on("end", this.upstreamEnded).on("close", this.upstreamEnded)
    this.up.start()
    this.down.start()
    for (const peer of this.peers) {
      if (peer.end.socket.destroyed || peer.end.socket.readableEnded) this.ended(peer)
    }
  }

  stop(): void {
    const [client, upstream] = this.peers
    client.end.socket.off("end", this.clientEnded).off("close", this.clientEnded)
    upstream.end.socket.off("end", this.upstreamEnded).off("close", this.upstreamEnded)
    for (const peer of this.peers) {
      peer.stop()
      peer.outgoing.stop()
    }
  }

  /** Waits until one of the ends is done. */
  readonly ending: Effect.Effect<void> = Effect.callback<void>((resume) => {
    this.wake = () => resume(Effect.void)
    if (this.isEnding) this.wake()
  })

  /** Waits until both connections are gone. */
  get closed(): Effect.Effect<void> {
    const [client, upstream] = this.peers
    return Effect.andThen(closed(client.end.socket), closed(upstream.end.socket))
  }

  /** Pings both ends and cuts those that didn't respond to the last ping. */
  beat(): void {
    for (const peer of this.peers) if (!peer.ping()) peer.end.socket.destroy()
  }

  /** Closes both ends because the console is stopping or nobody is left to relay for. */
  leave(): void {
    this.up.finish(this.peers[0].end.socket.destroyed ? CLOSE.clientGone : CLOSE.stopping)
    this.down.finish(CLOSE.stopping)
  }

  private readonly clientEnded = (): void => this.ended(this.peers[0])

  private readonly upstreamEnded = (): void => this.ended(this.peers[1])

  private ended(peer: RelayPeer): void {
    this.end()
    peer.outgoing.finish(peer.loss)
  }

  private readonly refuseOversized = (): void => {
    const [client, upstream] = this.peers
    this.end()
    client.end.socket.resume()
    this.down.finish(CLOSE.tooLarge)
    upstream.end.socket.destroy()
  }

  private end(): void {
    this.isEnding = true
    this.wake?.()
  }
}

/** Sessions pinged every 30 s by the owner of the set. */
export type Heartbeats = Set<{ readonly beat: () => void }>

/**
 * Joins the two ends until both have closed. Frames, including close frames, are passed on byte for byte. The proxy
 * adds pings, closes a peer that doesn't respond between two of them, and tells the other end if one is lost without a
 * close frame. If interrupted, it closes both.
 */
export const relay = (client: RelayEnd, upstream: RelayEnd, heartbeats: Heartbeats): Effect.Effect<void> =>
  Effect.suspend(() => {
    const joined = new JoinedEnds(client, upstream)
    joined.start()
    heartbeats.add(joined)
    return joined.ending.pipe(
      Effect.andThen(Effect.timeoutOption(joined.closed, PROXY_LIMITS.closing)),
      Effect.asVoid,
      Effect.onInterrupt(() => Effect.sync(() => joined.leave())),
      Effect.ensuring(
        Effect.sync(() => {
          heartbeats.delete(joined)
          joined.stop()
        })
      )
    )
  })
