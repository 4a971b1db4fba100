import type { Socket } from "node:net"
import { Effect, Latch } from "effect"
import { CLOSE } from "../../services/proxy/closeStatus.ts"
import { type CloseStatus, encodeFrame, OPCODE } from "../../services/proxy/frames.ts"
import { PROXY_LIMITS } from "../../services/proxy/proxyLimits.ts"
import { RelayDirection, type RelayEnd } from "./RelayDirection.ts"
import { closed, maskingKey } from "./sockets.ts"

const NOTHING = Buffer.alloc(0)

/** The browser's end: it is a client, so frames for it are not masked. */
export const clientEnd = (socket: Socket, received: Buffer): RelayEnd => ({
  socket,
  received,
  key: () => undefined
})

/** The gateway's end: it is a server, so frames for it are masked. */
export const upstreamEnd = (socket: Socket, received: Buffer): RelayEnd => ({
  socket,
  received,
  key: maskingKey
})

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

/**
 * Joins the two ends until both have closed. Frames pass byte for byte, close frames included, so kind, fragments, codes
 * and reasons stay as they are. The proxy adds pings every 30 s, ends a peer that shows no life between two of them, and
 * tells the other end when one is lost without a close frame. Interrupted, it takes its leave of both.
 */
export const relay = Effect.fnUntraced(function* (client: RelayEnd, upstream: RelayEnd) {
  const ending = Latch.makeUnsafe(false)

  const refuseOversized = (): void => {
    ending.openUnsafe()
    client.socket.resume()
    down.finish(CLOSE.tooLarge)
    upstream.socket.destroy()
  }
  const up = new RelayDirection(client, upstream, refuseOversized)
  const down = new RelayDirection(upstream, client, refuseOversized)
  const parties = [new Party(client, up, down, CLOSE.clientGone), new Party(upstream, down, up, CLOSE.lost)]

  const ended = (party: Party) => (): void => {
    ending.openUnsafe()
    party.outgoing.finish(party.loss)
  }
  const listeners = parties.map((party) => ({ socket: party.end.socket, onEnd: ended(party) }))
  for (const { onEnd, socket } of listeners) {
    socket.on("end", onEnd)
    socket.on("close", onEnd)
  }
  const stop = (): void => {
    for (const { onEnd, socket } of listeners) {
      socket.off("end", onEnd)
      socket.off("close", onEnd)
    }
    for (const party of parties) {
      party.stop()
      party.outgoing.stop()
    }
  }
  up.start()
  down.start()
  for (const { onEnd, socket } of listeners) if (socket.destroyed || socket.readableEnded) onEnd()

  const keepalive = Effect.sleep(PROXY_LIMITS.ping).pipe(
    Effect.andThen(
      Effect.sync(() => {
        for (const party of parties) if (!party.ping()) party.end.socket.destroy()
      })
    ),
    Effect.forever
  )
  const deadline = ending.await.pipe(Effect.andThen(Effect.sleep(PROXY_LIMITS.closing)))
  const bothClosed = Effect.andThen(closed(client.socket), closed(upstream.socket))

  yield* Effect.raceAllFirst([bothClosed, deadline, keepalive]).pipe(
    Effect.onInterrupt(() =>
      Effect.sync(() => {
        up.finish(client.socket.destroyed ? CLOSE.clientGone : CLOSE.stopping)
        down.finish(CLOSE.stopping)
      })
    ),
    Effect.ensuring(Effect.sync(stop))
  )
})
