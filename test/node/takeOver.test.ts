import { once } from "node:events"
import { createServer, type IncomingMessage, ServerResponse } from "node:http"
import { connect, Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rememberListeners, takeOver } from "../../src/node/takeOver.ts"
import { serveProxy } from "../support/serveApp.ts"
import { openProxy, wsUpstream } from "../support/sockets.ts"

const REQUEST = [
  "GET /ws HTTP/1.1",
  "Host: 127.0.0.1",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "\r\n"
].join("\r\n")

/** A connection that asked for an upgrade, as a server sees it, before anybody has answered. */
const upgrading = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer().listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    const port = address !== null && typeof address === "object" ? address.port : 0
    const upgraded = new Promise<{ request: IncomingMessage; socket: Socket }>((resolve) => {
      server.on("upgrade", (request, socket) => {
        if (socket instanceof Socket) resolve({ request, socket })
      })
    })
    const client = connect(port, "127.0.0.1").on("error", () => {})
    client.write(REQUEST)
    const { request, socket } = await upgraded
    return { server, client, socket, response: new ServerResponse(request) }
  }),
  ({ client, server, socket }) =>
    Effect.sync(() => {
      client.destroy()
      socket.destroy()
      server.close()
    })
)

describe("takeOver", () => {
  it.live("leaves a connection with its own listeners and without those of the request", () =>
    Effect.gen(function* () {
      const { client, response, socket } = yield* upgrading
      const seen: Array<string> = []
      socket.on("close", () => seen.push("connection"))
      rememberListeners(socket)
      socket.on("close", () => seen.push("request"))
      socket.once("error", () => seen.push("request's error"))
      response.assignSocket(socket)
      takeOver(response, socket)
      const received: Array<Buffer> = []
      client.on("data", (chunk: Buffer) => received.push(chunk))
      socket.write("mine now")
      yield* Effect.promise(() => once(client, "data"))
      assert.strictEqual(Buffer.concat(received).toString(), "mine now")
      socket.destroy(new Error("an error only ends it"))
      yield* Effect.promise(() => new Promise((resolve) => socket.on("close", resolve)))
      assert.deepStrictEqual(seen, ["connection"])
    })
  )

  it.live("takes no listener from a connection nobody looked at before", () =>
    Effect.gen(function* () {
      const { response, socket } = yield* upgrading
      const seen: Array<string> = []
      socket.on("close", () => seen.push("somebody"))
      response.assignSocket(socket)
      takeOver(response, socket)
      socket.destroy()
      yield* Effect.promise(() => once(socket, "close"))
      assert.deepStrictEqual(seen, ["somebody"])
    })
  )

  it.live("browsers that reset their connection at once leave nothing behind and end nobody else's", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const app = yield* serveProxy()
      const client = yield* openProxy(app.port, { target: upstream.url })
      const server = yield* upstream.accept
      for (let round = 0; round < 40; round++) {
        const socket = connect(app.port, "127.0.0.1").on("error", () => {})
        yield* Effect.promise(() => once(socket, "connect"))
        socket.write(REQUEST.replace("/ws", `/ws?target=${encodeURIComponent(upstream.url)}`))
        if (round % 2 === 0) yield* Effect.promise(() => new Promise(setImmediate))
        socket.resetAndDestroy()
      }
      yield* client.send("still there")
      assert.strictEqual(yield* server.next, "still there")
      for (const open of [app.connections, upstream.connections]) {
        yield* Effect.repeat(open, { until: (count) => count === 1 })
      }
    })
  )
})
