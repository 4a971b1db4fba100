import { createHash } from "node:crypto"
import { connect, createServer, type Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { encodeFrame } from "../../src/http/gateway/proxy/frames/frames.ts"
import { Fuzz, fuzzRounds } from "../support/fuzz.ts"
import { serveProxy } from "../support/serveApp.ts"
import { openProxy, wsUpstream } from "../support/sockets.ts"

const HANDSHAKE = JSON.stringify({
  type: "req",
  id: "1",
  method: "connect",
  params: { minProtocol: 3, maxProtocol: 4, client: { id: "x", mode: "ui" }, role: "operator", scopes: [], caps: [] }
})

const upgrade = (port: number, query: string) =>
  [
    `GET /ws${query} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "\r\n"
  ].join("\r\n")

/** Bytes of a client that does not keep to the rules. */
const attack = (fuzz: Fuzz): Buffer => {
  const pieces = Array.from({ length: 1 + fuzz.below(5) }, () => {
    const payload = fuzz.chance(0.5) ? Buffer.from(fuzz.mutate(HANDSHAKE)) : fuzz.bytes(400)
    const frame = encodeFrame(
      fuzz.chance(0.6) ? 1 : fuzz.below(16),
      payload,
      fuzz.chance(0.8) ? fuzz.bytes(1000).subarray(0, 4) : undefined
    )
    if (fuzz.chance(0.3)) frame[fuzz.below(Math.min(14, frame.length))] = fuzz.below(256)
    return frame
  })
  return Buffer.concat(pieces)
}

/** Connects, sends what it is given in pieces, and waits a moment for the other side to end it. */
const send = (port: number, head: string, bytes: Buffer, fuzz: Fuzz) =>
  Effect.callback<string>((resume) => {
    let heard = ""
    const socket: Socket = connect(port, "127.0.0.1", () => {
      socket.write(head)
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + fuzz.below(200)
        socket.write(bytes.subarray(at, at + size))
        at += size
      }
      socket.end()
    })
    socket.on("data", (chunk: Buffer) => {
      heard += chunk.toString("latin1")
    })
    socket.on("error", () => undefined)
    socket.on("close", () => resume(Effect.succeed(heard)))
  })

it.live(
  "clients that keep to no rule are ended, see no secret, and harm nobody else",
  () =>
    Effect.gen(function* () {
      const fuzz = new Fuzz()
      const upstream = yield* wsUpstream()
      const app = yield* serveProxy({
        gatewayUrl: upstream.httpUrl,
        gatewayToken: Redacted.make("token-nobody-may-see")
      })
      // The gateway's end: a challenge for everybody, and everything else is swallowed or is no frame either.
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.flatMap(upstream.accept, (peer) =>
            peer.send(
              fuzz.chance(0.7)
                ? { type: "event", event: "connect.challenge", payload: { nonce: "n", ts: 1 } }
                : fuzz.mutate('{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1}}')
            )
          )
        )
      )
      for (let round = 0; round < fuzzRounds(60); round += 1) {
        const query = fuzz.chance(0.5)
          ? ""
          : `?target=${encodeURIComponent(fuzz.chance(0.5) ? upstream.url : fuzz.text().toWellFormed()).slice(0, 3000)}`
        const heard = yield* send(app.port, upgrade(app.port, query), attack(fuzz), fuzz)
        assert.notInclude(heard, "token-nobody-may-see")
        if (!heard.startsWith("HTTP/1.1 101")) assert.match(heard, /^(?:HTTP\/1\.1 4\d\d |$)/)
      }
      const other = yield* wsUpstream()
      const client = yield* openProxy(app.port, { target: other.url })
      const peer = yield* other.accept
      yield* client.send("still here")
      assert.strictEqual(yield* peer.next, "still here")
    }).pipe(Effect.scoped),
  60_000 + fuzzRounds(60) * 1000
)

const acceptOf = (key: string) =>
  createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64")

/** What a gateway that keeps to no rule answers an upgrade with, and what follows. */
const hostileAnswer = (fuzz: Fuzz, request: string): Buffer => {
  const key = /sec-websocket-key: *(\S+)/i.exec(request)?.[1] ?? ""
  const accepted = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptOf(key)}\r\n\r\n`
  const head = fuzz.pick([
    accepted,
    accepted,
    accepted,
    accepted.replace("101", "200"),
    accepted.replace(/Accept: ./, "Accept: x"),
    fuzz.mutate(accepted),
    `${accepted.slice(0, -2)}X: ${"y".repeat(fuzz.below(90_000))}\r\n\r\n`,
    fuzz.text()
  ])
  const challenge = Buffer.from('{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1}}')
  const frames = Array.from({ length: fuzz.below(5) }, () => {
    const frame = encodeFrame(fuzz.chance(0.6) ? 1 : fuzz.below(16), fuzz.chance(0.4) ? challenge : fuzz.bytes(400))
    if (fuzz.chance(0.4)) frame[fuzz.below(Math.min(14, frame.length))] = fuzz.below(256)
    return frame
  })
  return Buffer.concat([Buffer.from(head), ...frames, fuzz.bytes(20)])
}

/** A gateway on loopback that answers every upgrade with something made up, and hangs up at some time. */
const hostileGateway = (fuzz: Fuzz) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((socket) => {
        socket.on("error", () => undefined)
        socket.once("data", (request) => socket.end(hostileAnswer(fuzz, request.toString("latin1"))))
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
  )

it.live(
  "a gateway that keeps to no rule ends its own sessions only",
  () =>
    Effect.gen(function* () {
      const fuzz = new Fuzz()
      const address = (yield* hostileGateway(fuzz)).address()
      const gatewayPort = typeof address === "object" && address !== null ? address.port : 0
      const app = yield* serveProxy({
        gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
        gatewayToken: Redacted.make("token-nobody-may-see")
      })
      for (let round = 0; round < fuzzRounds(40); round += 1) {
        const greeting = encodeFrame(1, Buffer.from(HANDSHAKE), Buffer.from([1, 2, 3, 4]))
        const heard = yield* send(app.port, upgrade(app.port, ""), greeting, fuzz)
        assert.notInclude(heard, "token-nobody-may-see")
        assert.match(heard, /^HTTP\/1\.1 101 /)
      }
      const other = yield* wsUpstream()
      const client = yield* openProxy(app.port, { target: other.url })
      const peer = yield* other.accept
      yield* client.send("still here")
      assert.strictEqual(yield* peer.next, "still here")
      yield* Effect.sync(() => client.ws.terminate())
      while ((yield* app.connections) > 0) yield* Effect.sleep("10 millis")
    }).pipe(Effect.scoped),
  60_000 + fuzzRounds(40) * 1000
)
