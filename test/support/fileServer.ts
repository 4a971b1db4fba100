import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Effect } from "effect"

/** A test server's response; the request is recorded before this is called. */
export type FileAnswer = (request: IncomingMessage, response: ServerResponse) => void

/** An HTTP server on loopback with given responses that records requests, until the scope closes. */
export const serveFiles = (answer: FileAnswer) =>
  Effect.acquireRelease(
    Effect.callback<{
      readonly url: string
      /** Address and headers of every request. */
      readonly asked: ReadonlyArray<Pick<IncomingMessage, "url" | "headers">>
      readonly close: () => void
    }>((resume) => {
      const asked: Array<Pick<IncomingMessage, "url" | "headers">> = []
      const server = createServer((request, response) => {
        asked.push({ url: request.url, headers: request.headers })
        answer(request, response)
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, asked, close }))
      })
    }),
    (server) => Effect.sync(server.close)
  )
