import { Effect, Queue, Schema } from "effect"
import { WebSocket } from "ws"

const Frame = Schema.Record(Schema.String, Schema.Unknown)
const decodeFrame = Schema.decodeUnknownSync(Schema.fromJsonString(Frame))
type Frame = typeof Frame.Type

export interface LiveOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
  readonly deflate?: boolean
  readonly address?: string
}

export const HELLO = { t: "hello", v: 1, build: "", tab: "t1" }

const endOf = (ws: WebSocket) =>
  new Promise<{ readonly code: number; readonly frames: ReadonlyArray<Frame> }>((resolve) => {
    const frames: Array<Frame> = []
    ws.on("message", (data) => frames.push(decodeFrame(data.toString())))
    ws.on("close", (code) => resolve({ code, frames }))
  })

/** Opens `/api/live`; fails with the status of a refused upgrade. */
export const openLive = (port: number, options: LiveOptions = {}) =>
  Effect.acquireRelease(
    Effect.callback<WebSocket, number>((resume) => {
      const { address = "127.0.0.1", deflate = false, headers = {}, path = "/api/live" } = options
      const ws = new WebSocket(`ws://${address}:${port}${path}`, { headers, perMessageDeflate: deflate })
      ws.on("error", () => undefined)
      ws.on("open", () => resume(Effect.succeed(ws)))
      ws.on("unexpected-response", (_request, response) => {
        response.resume()
        resume(Effect.fail(response.statusCode ?? 0))
      })
    }),
    (ws) => Effect.sync(() => ws.terminate())
  ).pipe(
    Effect.map((ws) => {
      const frames = Effect.runSync(Queue.unbounded<Frame>())
      ws.on("message", (data) => Queue.offerUnsafe(frames, decodeFrame(data.toString())))
      const ended = endOf(ws)
      const next = Queue.take(frames)
      return {
        ws,
        next,
        /** The next frame of that kind; others before it are skipped. */
        nextOf: (t: string) => Effect.repeat(next, { until: (frame) => frame.t === t }),
        /** The code it was closed with, and all frames that came before. */
        ended: Effect.promise(() => ended),
        send: (frame: object | string) =>
          Effect.sync(() => ws.send(typeof frame === "string" ? frame : JSON.stringify(frame)))
      }
    })
  )

/** The same with its greeting done. */
export const greetedLive = Effect.fnUntraced(function* (
  port: number,
  options: LiveOptions = {},
  hello: object = HELLO
) {
  const live = yield* openLive(port, options)
  yield* live.send(hello)
  const welcome = yield* live.next
  return { ...live, welcome }
})
