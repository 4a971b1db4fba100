import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { Effect, Schema } from "effect"
import { WebSocketServer } from "ws"
import { MAX_FRAME } from "../wire/limits.ts"
import type { GatewaySocket } from "./Connection.ts"
import { MAX_TOOL_BODY } from "./httpAnswers.ts"
import type { PlainAnswer, PlainRequest } from "./plainAnswer.ts"

/** The embedded gateway could not open its port. */
export class ListenError extends Schema.TaggedError<ListenError>()("ListenError", {
  message: Schema.String,
  port: Schema.Int
}) {}

/** Handlers of one client's socket. */
export interface SocketHandlers {
  readonly onText: (text: string) => void
  readonly onClose: () => void
}

/** The listener's callbacks; they run outside any fiber and must not block. */
export interface ListenOptions {
  /** 0 asks the system for a free port. */
  readonly port: number
  readonly onRequest: (request: PlainRequest, answer: (answer: PlainAnswer) => void) => void
  /** An answer refuses the upgrade with that HTTP response. */
  readonly onUpgrade: (request: PlainRequest) => PlainAnswer | undefined
  readonly onSocket: (request: PlainRequest, socket: GatewaySocket) => SocketHandlers
}

const LOOPBACK = "127.0.0.1"

const plainRequest = (request: IncomingMessage, body: string): PlainRequest => ({
  method: request.method ?? "GET",
  url: request.url ?? "/",
  headers: request.headers,
  body
})

const readBody = (request: IncomingMessage, done: (body: string | undefined) => void) => {
  const chunks: Array<Buffer> = []
  let size = 0
  request.on("data", (chunk: Buffer) => {
    size += chunk.length
    if (size <= MAX_TOOL_BODY) chunks.push(chunk)
  })
  request.on("end", () => done(size > MAX_TOOL_BODY ? undefined : Buffer.concat(chunks).toString("utf8")))
  request.on("error", () => undefined)
}

const respond = (response: ServerResponse, { body, headers, status, type }: PlainAnswer) => {
  response.writeHead(status, { ...headers, "content-type": type })
  response.end(body)
}

const refuseUpgrade = (socket: Duplex, { body, status, type }: PlainAnswer) => {
  const head = [
    `HTTP/1.1 ${status} Refused`,
    `content-type: ${type}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close"
  ].join("\r\n")
  socket.end(`${head}\r\n\r\n${body}`)
}

const TOO_LARGE: PlainAnswer = { status: 413, type: "text/plain; charset=utf-8", body: "Payload Too Large" }

const open = (options: ListenOptions) => {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME, perMessageDeflate: false })
  const server = createServer((request, response) =>
    readBody(request, (body) =>
      body === undefined
        ? respond(response, TOO_LARGE)
        : options.onRequest(plainRequest(request, body), (answer) => respond(response, answer))
    )
  )
  server.on("upgrade", (request, duplex, head) => {
    duplex.on("error", () => undefined)
    const plain = plainRequest(request, "")
    const refusal = options.onUpgrade(plain)
    if (refusal !== undefined) {
      refuseUpgrade(duplex, refusal)
      return
    }
    sockets.handleUpgrade(request, duplex, head, (ws) => {
      const handlers = options.onSocket(plain, {
        send: (text, written) => ws.send(text, written === undefined ? undefined : () => written()),
        close: (code, reason) => ws.close(code, reason),
        terminate: () => ws.terminate(),
        ping: () => ws.ping(),
        buffered: () => ws.bufferedAmount
      })
      ws.on("message", (data) => handlers.onText(data.toString()))
      ws.on("error", () => undefined)
      ws.on("close", () => handlers.onClose())
    })
  })
  return server
}

type OpenServer = ReturnType<typeof open>

const bind = (server: OpenServer, port: number) =>
  Effect.callback<number, ListenError>((resume) => {
    const fail = () =>
      resume(Effect.fail(new ListenError({ message: `The demo gateway cannot use port ${port}.`, port })))
    server.once("error", fail)
    server.listen(port, LOOPBACK, () => {
      server.off("error", fail)
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : port))
    })
  })

/** The port is free as soon as this returns; WebSockets end by their own close frames. */
const close = (server: OpenServer) =>
  Effect.sync(() => {
    server.close()
    server.closeAllConnections()
  })

/** Serves HTTP and WebSockets on a loopback port until the scope closes; returns the port. */
export const listen = (options: ListenOptions) =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const server = open(options)
      return bind(server, options.port).pipe(Effect.map((port) => ({ server, port })))
    }),
    ({ server }) => close(server)
  ).pipe(Effect.map(({ port }) => port))
