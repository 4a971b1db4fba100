import { randomBytes } from "node:crypto"
import type { Socket } from "node:net"
import { Data, Duration, Effect } from "effect"
import { CLOSE, type CloseStatus, encodeClose } from "./frames/frames.ts"
import { PROXY_LIMITS } from "./proxyLimits.ts"

/** The masking key that every frame to a server needs. */
export const maskingKey = (): Buffer => randomBytes(4)

/** Writes and waits until a slow reader has caught up; returns at once if the connection is closed. */
export const writeAll = (socket: Socket, bytes: Buffer): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (!socket.writable || socket.write(bytes)) return resume(Effect.void)
    const done = () => {
      socket.off("drain", done)
      socket.off("close", done)
      resume(Effect.void)
    }
    socket.on("drain", done)
    socket.on("close", done)
    return Effect.sync(() => {
      socket.off("drain", done)
      socket.off("close", done)
    })
  })

/** Waits until both directions of the connection have ended. */
export const closed = (socket: Socket): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (socket.destroyed) return resume(Effect.void)
    const done = () => resume(Effect.void)
    socket.once("close", done)
    return Effect.sync(() => socket.off("close", done))
  })

/** Gives written data a moment to go out, then destroys the connection. For finalizers. */
export const release = (socket: Socket): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (socket.destroyed) return Effect.void
    // The socket's own timer, because an interrupted fiber can't race a sleep.
    socket.setTimeout(Duration.toMillis(PROXY_LIMITS.farewell), () => socket.destroy())
    socket.destroySoon()
    return closed(socket)
  })

/** Deliberate ends, after which the browser gets little time to close. */
const CUT: ReadonlySet<CloseStatus> = new Set([CLOSE.signedOut, CLOSE.tooManyPending, CLOSE.broken])

/** A proxy session ended before both sides were joined. */
export class SessionEnd extends Data.TaggedError("SessionEnd")<{
  /** The close frame for the browser. */
  readonly farewell: Buffer
  /** How long the browser has to take it. */
  readonly patience: Duration.Duration
}> {
  static readonly with = (status: CloseStatus): SessionEnd =>
    new SessionEnd({
      farewell: encodeClose(status),
      patience: CUT.has(status) ? PROXY_LIMITS.cut : PROXY_LIMITS.closing
    })
}
