import type { Socket } from "node:net"
import { Duration, Effect } from "effect"
import type { FrameFault } from "./frames/FrameWalker.ts"
import { CLOSE, type CloseStatus, encodeFrame, NOTHING, OPCODE } from "./frames/frames.ts"
import { PROXY_LIMITS } from "./proxyLimits.ts"
import { RelayDirection, RelayEnd } from "./RelayDirection.ts"
import { closed, maskingKey } from "./sockets.ts"

const noKey = (): undefined => undefined

/** The close frames for both ends when they are cut. */
type Farewells = Readonly<Record<"client" | "upstream", CloseStatus>>

type Refusals = Readonly<Record<Exclude<FrameFault, "oversized">, Farewells>>

const SIGNED_OUT: Farewells = { client: CLOSE.signedOut, upstream: CLOSE.clientGone }

const CLIENT_FAULTS: Refusals = {
  flood: { client: CLOSE.flooding, upstream: CLOSE.clientGone },
  control: { client: CLOSE.broken, upstream: CLOSE.clientGone }
}

const UPSTREAM_FAULTS: Refusals = {
  flood: { client: CLOSE.floodingGateway, upstream: CLOSE.flooding },
  control: { client: CLOSE.brokenGateway, upstream: CLOSE.broken }
}

/** The browser's end: it is a client, so frames for it are not masked. */
export const clientEnd = (socket: Socket, received: Buffer): RelayEnd => new RelayEnd(socket, received, noKey)

/** The gateway's end: it is a server, so frames for it are masked. */
export const upstreamEnd = (socket: Socket, received: Buffer): RelayEnd => new RelayEnd(socket, received, maskingKey)

/** One end with the traffic to and from it. */
class RelayPeer {
  readonly end: RelayEnd
  readonly outgoing: RelayDirection
  readonly incoming: RelayDirection
  /** The close status for the other end if this one is lost. */
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
    const isSilent = !this.outgoing.hasReceived && !this.drained && !this.end.socket.isPaused()
    if (this.pinged && isSilent) return false
    this.outgoing.hasReceived = false
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
  private isCut = false
  private wake: (() => void) | undefined
  private wakeCut: (() => void) | undefined

  constructor(client: RelayEnd, upstream: RelayEnd) {
    this.up = new RelayDirection(client, upstream, this.refuseClient)
    this.down = new RelayDirection(upstream, client, this.refuseUpstream)
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

  /** Waits until both connections are closed or their time is over. */
  get closed(): Effect.Effect<void> {
    const [client, upstream] = this.peers
    const both = Effect.andThen(closed(client.end.socket), closed(upstream.end.socket))
    const cut = Effect.andThen(this.cutting, Effect.sleep(PROXY_LIMITS.cut))
    const gaveUp = Effect.raceFirst(Effect.sleep(PROXY_LIMITS.closing), cut)
    return Effect.andThen(Effect.raceFirst(both, gaveUp), Effect.sync(this.destroyCut))
  }

  /** Pings both ends and cuts those that didn't respond to the last ping. */
  beat(): void {
    for (const peer of this.peers) {
      peer.outgoing.calm()
      if (!peer.ping()) peer.end.socket.destroy()
    }
  }

  /** Ends both sides: each receives at most the rest of a frame from the other. */
  readonly signedOut = (): void => {
    this.cut(SIGNED_OUT)
    // Reads only to see the browser's close; the data is dropped.
    this.peers[0].end.socket.resume()
  }

  /** Closes both ends because the console is stopping or the session has no owner any more. */
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

  private readonly refuseClient = (fault: FrameFault): void => {
    if (fault === "oversized") this.refuseOversized()
    else this.refuse(this.peers[0], CLIENT_FAULTS[fault])
  }

  private readonly refuseUpstream = (fault: FrameFault): void => {
    if (fault === "oversized") this.refuseOversized()
    else this.refuse(this.peers[1], UPSTREAM_FAULTS[fault])
  }

  /** Reads nothing more from that end. */
  private refuse(peer: RelayPeer, farewells: Farewells): void {
    this.cut(farewells)
    peer.outgoing.stop()
    const { socket } = peer.end
    socket.pause()
    socket.setTimeout(Duration.toMillis(PROXY_LIMITS.farewell), () => socket.destroy())
  }

  private cut(farewells: Farewells): void {
    if (this.isCut) return
    this.isCut = true
    this.end()
    this.wakeCut?.()
    this.down.cut(farewells.client)
    this.up.finish(farewells.upstream)
  }

  private readonly cutting: Effect.Effect<void> = Effect.callback<void>((resume) => {
    this.wakeCut = () => resume(Effect.void)
    if (this.isCut) this.wakeCut()
  })

  private readonly destroyCut = (): void => {
    if (this.isCut) for (const peer of this.peers) peer.end.socket.destroy()
  }

  private end(): void {
    this.isEnding = true
    this.wake?.()
  }
}

/** Sessions pinged every 30 s by the owner of the set. */
export type Heartbeats = Set<{ readonly beat: () => void }>

/** Calls a listener when who opened the session is signed out, at once if that has happened; what it returns ends that. */
export type OnSignedOut = (listener: () => void) => () => void

/**
 * Joins the two ends until both have closed. Frames, including close frames, are passed on byte for byte. The proxy
 * adds pings, closes a peer that doesn't respond between two of them, and notifies the other end if one is lost without a
 * close frame. A peer that floods is cut, and both are when the session is signed out. If interrupted, it closes both.
 */
export const relay = (
  client: RelayEnd,
  upstream: RelayEnd,
  heartbeats: Heartbeats,
  onSignedOut: OnSignedOut
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const joined = new JoinedEnds(client, upstream)
    joined.start()
    heartbeats.add(joined)
    const forget = onSignedOut(joined.signedOut)
    return joined.ending.pipe(
      Effect.andThen(joined.closed),
      Effect.onInterrupt(() => Effect.sync(() => joined.leave())),
      Effect.ensuring(
        Effect.sync(() => {
          forget()
          heartbeats.delete(joined)
          joined.stop()
        })
      )
    )
  })
