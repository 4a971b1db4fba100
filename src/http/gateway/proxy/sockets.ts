import { randomBytes } from "node:crypto"
import type { Socket } from "node:net"
import { Duration, Effect } from "effect"
import { PROXY_LIMITS } from "./proxyLimits.ts"

/** The masking key that every frame to a server needs. */
export const maskingKey = (): Buffer => randomBytes(4)

/** Writes and waits until a slow reader has caught up; returns at once if the connection is gone. */
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
