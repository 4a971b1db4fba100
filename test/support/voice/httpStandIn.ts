import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { Effect } from "effect"

/** A request as a vendor receives it. */
export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Answers a request that was read whole. */
export type Answer = (request: SeenRequest, response: ServerResponse, index: number) => void

/** A vendor on loopback until the scope closes; `seen` are the requests it got. */
export const httpStandIn = Effect.fnUntraced(function* (answer: Answer) {
  const seen: Array<SeenRequest> = []
  const server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      const { method = "", url = "", headers } = request
      const whole = { method, url, headers, body: Buffer.concat(parts) }
      seen.push(whole)
      answer(whole, response, seen.length - 1)
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, seen }
})
