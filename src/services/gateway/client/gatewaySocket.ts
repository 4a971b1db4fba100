import { Clock, Effect, type Scope } from "effect"
import { WebSocket } from "ws"
import type { OpenFailure } from "./gatewayFailures.ts"

/** A socket's callbacks, called synchronously and in order. */
export interface SocketListener {
  readonly onText: (text: string) => void
  /** A sign of life without a frame. */
  readonly onPing: () => void
  /** Called once, after the last frame. */
  readonly onClose: (code: number) => void
}

/** An open socket, closed together with the scope it was opened in. */
export interface GatewaySocket {
  /** Sends a text frame; on a closed socket it's dropped, since `onClose` has already reported that. */
  readonly send: (text: string) => void
}

export type OpenSocket = (
  url: string,
  listener: SocketListener
) => Effect.Effect<GatewaySocket, OpenFailure, Scope.Scope>

/** Largest frame a gateway sends, in bytes; a larger one closes the socket with 1009. */
const MAX_FRAME_BYTES = 26_214_400

/** Longest message in fragments; `ws` ends a connection that sends more. */
const MAX_FRAGMENTS = 4096
/** Shorter than any message of a gateway, pings and pongs included: of these, some in a while are usual. */
const SHORT_BYTES = 16
const MOST_SHORT = 1000
const WHILE_MS = 30_000

const errorCode = (error: unknown): OpenFailure =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? { code: error.code } : {}

/**
 * Opens a WebSocket without Origin or forwarded headers, which would make it look remote to a gateway. One frame is
 * handled per event loop turn and reading waits for it, so a flood neither starves the server nor piles up. A flood of
 * what carries nothing ends the connection.
 */
export const openWebSocket: OpenSocket = Effect.fnUntraced(function* (url, listener) {
  const socket = yield* Effect.acquireRelease(
    Effect.try({
      try: () =>
        new WebSocket(url, {
          perMessageDeflate: false,
          followRedirects: false,
          allowSynchronousEvents: false,
          maxPayload: MAX_FRAME_BYTES,
          maxFragments: MAX_FRAGMENTS
        }),
      catch: errorCode
    }),
    (socket) =>
      Effect.sync(() => {
        if (socket.readyState === WebSocket.OPEN) socket.close(1000)
        socket.terminate()
      })
  )
  const clock = yield* Clock.Clock
  let since = clock.currentTimeMillisUnsafe()
  let short = 0
  const countShort = () => {
    const now = clock.currentTimeMillisUnsafe()
    if (Math.abs(now - since) >= WHILE_MS) {
      since = now
      short = 0
    }
    short += 1
    if (short > MOST_SHORT) socket.terminate()
  }
  socket.on("message", (data, isBinary) => {
    const text = data.toString()
    if (text.length < SHORT_BYTES) countShort()
    if (!isBinary) listener.onText(text)
  })
  socket.on("ping", () => {
    countShort()
    listener.onPing()
  })
  socket.on("pong", countShort)
  socket.on("close", (code) => listener.onClose(code))
  yield* Effect.callback<void, OpenFailure>((resume) => {
    socket.once("open", () => resume(Effect.void))
    socket.on("error", (error) => resume(Effect.fail(errorCode(error))))
    socket.once("unexpected-response", (request, response) => {
      resume(Effect.fail({ status: response.statusCode ?? 0 }))
      request.destroy()
    })
    socket.once("close", () => resume(Effect.fail({})))
  })
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    }
  }
})
