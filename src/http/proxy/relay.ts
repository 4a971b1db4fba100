import type { Socket } from "node:net"
import { Effect } from "effect"
import { CLOSE } from "../../services/proxy/closeStatus.ts"
import { type CloseStatus, encodeFrame, NOTHING, OPCODE } from "../../services/proxy/frames.ts"
import { PROXY_LIMITS } from "../../services/proxy/proxyLimits.ts"
import { RelayDirection, RelayEnd } from "./RelayDirection.ts"
import { closed, maskingKey } from "./sockets.ts"

const noKey = (): undefined => undefined

/** The browser's end: it is a client, so frames for it are not masked. */
export const clientEnd = (socket: Socket, received: Buffer): RelayEnd => new RelayEnd(socket, received, noKey)

/** The gateway's end: it is a server, so frames for it are masked. */
export const upstreamEnd = (socket: Socket, received: Buffer): RelayEnd => new RelayEnd(socket, received, maskingKey)

/** One end with what flows to and from it. */
class Party {
  readonly end: RelayEnd
  readonly outgoing: RelayDirection
  readonly incoming: RelayDirection
  /** What the other end is told when this one is lost. */
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

  /** Sends a ping, unless the last one brought no sign of life: then the end is dead and this says so. */
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

/** Two ends that have been joined. It waits without a fiber, a timer or a buffer of its own: most sessions idle. */
class JoinedEnds {
  private readonly up: RelayDirection
  private readonly down: RelayDirection
  private readonly parties: readonly [client: Party, upstream: Party]
  private isEnding = false
  private wake: (() => void) | undefined

  constructor(client: RelayEnd, upstream: RelayEnd) {
    this.up = new RelayDirection(client, upstream, this.refuseOversized)
    this.down = new RelayDirection(upstream, client, this.refuseOversized)
    this.parties = [
      new Party(client, this.up, this.down, CLOSE.clientGone),
      new Party(upstream, this.down, this.up, CLOSE.lost)
    ]
  }

  start(): void {
    const [client, upstream] = this.parties
    client.end.socket.on("end", this.clientEnded).on("close", this.clientEnded)
    upstream.end.socket.on("end", this.upstreamEnded).on("close", this.upstreamEnded)
    this.up.start()
    this.down.start()
    for (const party of this.parties) {
      if (party.end.socket.destroyed || party.end.socket.readableEnded) this.ended(party)
    }
  }

  stop(): void {
    const [client, upstream] = this.parties
    client.end.socket.off("end", this.clientEnded).off("close", this.clientEnded)
    upstream.end.socket.off("end", this.upstreamEnded).off("close", this.upstreamEnded)
    for (const party of this.parties) {
      party.stop()
      party.outgoing.stop()
    }
  }

  /** Waits until one of the ends has said or shown that it is done. */
  readonly ending: Effect.Effect<void> = Effect.callback<void>((resume) => {
    this.wake = () => resume(Effect.void)
    if (this.isEnding) this.wake()
  })

  /** Waits until both connections are gone. */
  get closed(): Effect.Effect<void> {
    const [client, upstream] = this.parties
    return Effect.andThen(closed(client.end.socket), closed(upstream.end.socket))
  }

  /** Asks both ends for a sign of life and cuts those that gave none since they were asked last. */
  beat(): void {
    for (const party of this.parties) if (!party.ping()) party.end.socket.destroy()
  }

  /** Says goodbye to both because the console stops, or because nobody is there to relay for. */
  leave(): void {
    this.up.finish(this.parties[0].end.socket.destroyed ? CLOSE.clientGone : CLOSE.stopping)
    this.down.finish(CLOSE.stopping)
  }

  private readonly clientEnded = (): void => this.ended(this.parties[0])

  private readonly upstreamEnded = (): void => this.ended(this.parties[1])

  private ended(party: Party): void {
    this.end()
    party.outgoing.finish(party.loss)
  }

  private readonly refuseOversized = (): void => {
    const [client, upstream] = this.parties
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

/** Sessions that are asked for a sign of life every 30 s, by whoever holds the set. */
export type Heartbeats = Set<{ readonly beat: () => void }>

/**
 * Joins the two ends until both have closed. Frames pass byte for byte, close frames included, so kind, fragments, codes
 * and reasons stay as they are. The proxy adds pings, ends a peer that shows no life between two of them, and tells the
 * other end when one is lost without a close frame. Interrupted, it takes its leave of both.
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
