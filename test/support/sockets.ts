import { createServer, type IncomingMessage } from "node:http"
import type { Server } from "node:net"
import { Deferred, Effect, Queue, Schema } from "effect"
import { type ServerOptions, WebSocket, WebSocketServer } from "ws"

/** A text message as a string, a binary one as bytes. */
export type Message = string | Buffer

export interface Closing {
  readonly code: number
  readonly reason: string
}

/** A `ws` connection whose messages and end can be waited for. */
export interface Peer {
  readonly ws: WebSocket
  readonly request: IncomingMessage | undefined
  readonly next: Effect.Effect<Message>
  /** The next message, read as JSON. */
  readonly nextJson: Effect.Effect<Record<string, unknown>>
  readonly send: (message: Message | object) => Effect.Effect<void>
  readonly closed: Effect.Effect<Closing>
}

const JsonObject = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
const decodeJson = Schema.decodeUnknownSync(JsonObject)

const peerOf = (ws: WebSocket, request?: IncomingMessage): Peer => {
  const messages = Effect.runSync(Queue.unbounded<Message>())
  const ended = Deferred.makeUnsafe<Closing>()
  ws.on("message", (data: Buffer, isBinary: boolean) => {
    Queue.offerUnsafe(messages, isBinary ? data : data.toString("utf8"))
  })
  ws.on("error", () => undefined)
  ws.on("close", (code, reason) => Deferred.doneUnsafe(ended, Effect.succeed({ code, reason: reason.toString() })))
  const next = Queue.take(messages)
  return {
    ws,
    request,
    next,
    nextJson: Effect.map(next, (message) => decodeJson(message)),
    send: (message) =>
      Effect.sync(() =>
        ws.send(typeof message === "string" || Buffer.isBuffer(message) ? message : JSON.stringify(message))
      ),
    closed: Deferred.await(ended)
  }
}

/** Connections that a server has open. */
export const connectionsOf = (server: Server): Effect.Effect<number> =>
  Effect.callback((resume) => {
    server.getConnections((_error, count) => resume(Effect.succeed(count)))
  })

const listen = (server: Server, host: string): Effect.Effect<number> =>
  Effect.callback((resume) => {
    server.listen(0, host, () => {
      const address = server.address()
      resume(Effect.succeed(address !== null && typeof address === "object" ? address.port : 0))
    })
  })

/** A `ws` server on a free loopback port; each connection is handed out once by `accept`. */
export const wsUpstream = Effect.fnUntraced(function* (options: ServerOptions = {}) {
  const peers = yield* Queue.unbounded<Peer>()
  const { host = "127.0.0.1", ...rest } = options
  const http = createServer()
  const server = new WebSocketServer({ server: http, perMessageDeflate: false, ...rest })
  server.on("connection", (ws, request) => Queue.offerUnsafe(peers, peerOf(ws, request)))
  const port = yield* Effect.acquireRelease(listen(http, host), () =>
    Effect.callback<void>((resume) => {
      for (const ws of server.clients) ws.terminate()
      server.close()
      http.close(() => resume(Effect.void))
    })
  )
  return {
    port,
    url: `ws://127.0.0.1:${port}`,
    httpUrl: `http://127.0.0.1:${port}`,
    accept: Queue.take(peers),
    connections: connectionsOf(http)
  }
})

/** The response to a refused upgrade. */
export interface Refused {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
}

export interface ConnectOptions {
  readonly target?: string | undefined
  readonly path?: string
  readonly headers?: Record<string, string>
}

/** Opens `/ws` of a served app; fails with the answer when the upgrade is refused. */
export const openProxy = (port: number, options: ConnectOptions = {}) =>
  Effect.acquireRelease(
    Effect.callback<Peer, Refused>((resume) => {
      const query = options.target === undefined ? "" : `?target=${encodeURIComponent(options.target)}`
      const ws = new WebSocket(`ws://127.0.0.1:${port}${options.path ?? "/ws"}${query}`, {
        perMessageDeflate: false,
        headers: options.headers ?? {}
      })
      const peer = peerOf(ws)
      ws.on("open", () => resume(Effect.succeed(peer)))
      ws.on("unexpected-response", (_request, response) => {
        response.resume()
        resume(Effect.fail({ status: response.statusCode ?? 0, headers: response.headers }))
      })
    }),
    ({ ws }) => Effect.sync(() => ws.terminate())
  )

/** Opens a WebSocket straight to an address. */
export const wsClient = (url: string) =>
  Effect.acquireRelease(
    Effect.callback<Peer>((resume) => {
      const peer = peerOf(new WebSocket(url, { perMessageDeflate: false }))
      peer.ws.on("open", () => resume(Effect.succeed(peer)))
      peer.ws.on("error", (error) => resume(Effect.die(error)))
    }),
    ({ ws }) => Effect.sync(() => ws.terminate())
  )
