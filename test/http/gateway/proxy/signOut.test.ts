import { createServer, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { within } from "../../../support/ownTime.ts"
import { rawWebSocket } from "../../../support/rawSocket.ts"
import { serveProxy } from "../../../support/serveApp.ts"
import { openProxy, type Peer, wsUpstream } from "../../../support/sockets.ts"

const SIGNED_OUT = { code: 1008, reason: "Signed out" }
const CONNECT = {
  type: "req",
  id: "c-1",
  method: "connect",
  params: {
    minProtocol: 3,
    maxProtocol: 3,
    client: { id: "gateway-client", version: "1.0.0", platform: "MacIntel", mode: "ui" },
    role: "operator",
    scopes: ["operator.read"],
    caps: []
  }
}
const CHALLENGE = { type: "event", event: "connect.challenge", payload: { nonce: "n", ts: 1 } }
const STARTING = {
  type: "res",
  id: "c-1",
  ok: false,
  error: { code: "UNAVAILABLE", message: "starting", retryable: true, retryAfterMs: 10_000 }
}

type Settings = Parameters<typeof serveProxy>[0]

/** A console with sign-in, and two people who are signed in. */
const signedIn = Effect.fnUntraced(function* (settings: Settings = {}) {
  const proxy = yield* serveProxy({ authEnabled: true, gatewayToken: Redacted.make("the token"), ...settings })
  const { auth, port } = proxy
  const login = Effect.map(auth.login("the token"), ({ value }) => `${auth.cookieName}=${value}`)
  const cookie = yield* login
  const other = yield* login
  const open = (target?: string, own = cookie) => openProxy(port, { headers: { Cookie: own }, target })
  return { ...proxy, cookie, other, open }
})

/** A session's two ends, relayed. */
const joined = Effect.fnUntraced(function* (settings: Settings = {}) {
  const upstream = yield* wsUpstream()
  const proxy = yield* signedIn(settings)
  const client = yield* proxy.open(upstream.url)
  const server = yield* upstream.accept
  yield* client.send("joined")
  assert.strictEqual(yield* server.next, "joined")
  return { ...proxy, upstream, client, server }
})

/** Both are over within what a person may wait for after signing out. */
const soon = within(2500)

const turn = Effect.promise(() => new Promise(setImmediate))

/** The connection under a `ws` socket. */
const rawOf = ({ ws }: Peer): Socket => Reflect.get(ws, "_socket")

/** Accepts connections and says nothing. */
const mute = Effect.fnUntraced(function* () {
  const open = new Set<Socket>()
  const asked = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on("error", () => undefined)
    socket.on("close", () => open.delete(socket))
    socket.on("data", () => asked.resolve())
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        for (const socket of open) socket.destroy()
        server.close(() => resume(Effect.void))
      })
  )
  const address = server.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  const none = Effect.repeat(turn, { until: () => open.size === 0 })
  return { url: `ws://127.0.0.1:${port}`, httpUrl: `http://127.0.0.1:${port}`, asked: asked.promise, none }
})

describe("signing out", () => {
  it.live("ends a session that is open, both ends of it, and nobody else's", () =>
    Effect.gen(function* () {
      const { auth, client, cookie, open, other, server, upstream } = yield* joined()
      const kept = yield* open(upstream.url, other)
      const keptServer = yield* upstream.accept
      yield* auth.logout(cookie)
      client.ws.send("too late")
      assert.deepStrictEqual(yield* soon(client.closed), SIGNED_OUT)
      yield* soon(server.closed)
      assert.strictEqual(yield* Effect.raceFirst(server.next, Effect.as(Effect.yieldNow, "nothing")), "nothing")
      yield* kept.send("still here")
      assert.strictEqual(yield* keptServer.next, "still here")
    })
  )

  it.live("ends every session of that cookie", () =>
    Effect.gen(function* () {
      const { auth, client, cookie, open, upstream } = yield* joined()
      const more = yield* Effect.forEach(Array.from({ length: 20 }), () => open(upstream.url))
      yield* auth.logout(`a=b; ${cookie}`)
      for (const one of [client, ...more]) assert.deepStrictEqual(yield* soon(one.closed), SIGNED_OUT)
    })
  )

  it.live("ends what belongs to the first live session of a request with several", () =>
    Effect.gen(function* () {
      const { auth, cookie, open, other, upstream } = yield* joined()
      const client = yield* open(upstream.url, `${auth.cookieName}=1.${"0".repeat(64)}; ${other}; ${cookie}`)
      const server = yield* upstream.accept
      yield* auth.logout(cookie)
      yield* client.send("the second is gone")
      assert.strictEqual(yield* server.next, "the second is gone")
      yield* auth.logout(other)
      assert.deepStrictEqual(yield* soon(client.closed), SIGNED_OUT)
      yield* soon(server.closed)
    })
  )

  it.live("ends a session whose gateway is still being dialled", () =>
    Effect.gen(function* () {
      for (const isTrusted of [true, false]) {
        const upstream = yield* mute()
        const { auth, cookie, open } = yield* signedIn(
          isTrusted ? { gatewayUrl: upstream.httpUrl } : { wsAllowedHosts: ["127.0.0.1"] }
        )
        const client = yield* open(upstream.url)
        yield* Effect.promise(() => upstream.asked)
        yield* auth.logout(cookie)
        assert.deepStrictEqual(yield* soon(client.closed), SIGNED_OUT)
        yield* soon(upstream.none)
      }
    })
  )

  it.live("ends a session whose handshake is held, before and after its connect", () =>
    Effect.gen(function* () {
      for (const isConnecting of [false, true]) {
        const upstream = yield* wsUpstream()
        const { auth, cookie, open } = yield* signedIn({ gatewayUrl: upstream.httpUrl })
        const client = yield* open()
        const server = yield* upstream.accept
        if (isConnecting) {
          yield* server.send(CHALLENGE)
          yield* client.next
          yield* client.send(CONNECT)
          assert.strictEqual((yield* server.nextJson).method, "connect")
        }
        yield* auth.logout(cookie)
        assert.deepStrictEqual(yield* soon(client.closed), SIGNED_OUT)
        yield* soon(server.closed)
      }
    })
  )

  it.live("ends a session that waits for a gateway which is still starting", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const { auth, cookie, open } = yield* signedIn({ gatewayUrl: upstream.httpUrl })
      const client = yield* open()
      const server = yield* upstream.accept
      yield* server.send(CHALLENGE)
      yield* client.next
      yield* client.send(CONNECT)
      yield* server.next
      yield* server.send(STARTING)
      yield* server.closed
      yield* auth.logout(cookie)
      assert.deepStrictEqual(yield* soon(client.closed), SIGNED_OUT)
      assert.strictEqual(yield* upstream.connections, 0)
    })
  )

  it.live("ends a session in the middle of a frame of the gateway's once that frame is whole", () =>
    Effect.gen(function* () {
      const { auth, client, cookie, server } = yield* joined()
      const raw = rawOf(server)
      const read = rawOf(client).bytesRead
      raw.write(Buffer.concat([Buffer.from([0x82, 100]), Buffer.alloc(50, 1)]))
      yield* Effect.repeat(turn, { until: () => rawOf(client).bytesRead - read >= 52 })
      // A gateway that reads the close only after it has sent the rest.
      server.ws.pause()
      yield* auth.logout(cookie)
      yield* client.send("too late")
      raw.write(Buffer.concat([Buffer.alloc(50, 1), Buffer.from([0x81, 1]), Buffer.from("x")]))
      assert.deepStrictEqual(yield* client.next, Buffer.alloc(100, 1))
      assert.deepStrictEqual(yield* soon(client.closed), SIGNED_OUT)
      server.ws.resume()
      yield* soon(server.closed)
      assert.strictEqual(yield* Effect.raceFirst(server.next, Effect.as(Effect.yieldNow, "nothing")), "nothing")
    })
  )

  it.live("cuts a page and a gateway that answer no close frame, in the middle of a frame too", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const { auth, cookie, port, connections } = yield* signedIn()
      const page = yield* rawWebSocket(port, `/ws?target=${encodeURIComponent(upstream.url)}`, { Cookie: cookie })
      const server = yield* upstream.accept
      // Half a message towards the gateway, half a message towards the page.
      page.socket.write(Buffer.concat([Buffer.from([0x82, 0xe4, 0, 0, 0, 0]), Buffer.alloc(50)]))
      rawOf(server).write(Buffer.concat([Buffer.from([0x82, 100]), Buffer.alloc(50)]))
      yield* Effect.repeat(turn, { until: () => page.received().length >= 52 })
      server.ws.pause()
      yield* auth.logout(cookie)
      yield* soon(page.gone)
      yield* soon(Effect.repeat(Effect.andThen(turn, connections), { until: (count) => count === 0 }))
    })
  )

  it.live("refuses a page that connects afterwards", () =>
    Effect.gen(function* () {
      const { auth, cookie, open, upstream } = yield* joined()
      yield* auth.logout(cookie)
      assert.strictEqual((yield* Effect.flip(open(upstream.url))).status, 401)
    })
  )
})

describe("a session that expires", () => {
  it.live("takes its open connections along", () =>
    Effect.gen(function* () {
      const { client, server } = yield* joined({ sessionTtlMs: 1000 })
      assert.deepStrictEqual(yield* within(3500)(client.closed), SIGNED_OUT)
      yield* soon(server.closed)
    })
  )

  it.live("takes one along that waits for the gateway", () =>
    Effect.gen(function* () {
      const upstream = yield* mute()
      const { open } = yield* signedIn({ gatewayUrl: upstream.httpUrl, sessionTtlMs: 1000 })
      const client = yield* open()
      assert.deepStrictEqual(yield* within(3500)(client.closed), SIGNED_OUT)
      yield* soon(upstream.none)
    })
  )
})

describe("with sign-in off", () => {
  it.live("a connection belongs to nobody: signing out ends nothing", () =>
    Effect.gen(function* () {
      const { auth, client, cookie, server } = yield* joined({ authEnabled: false })
      yield* auth.logout(cookie)
      yield* client.send("still here")
      assert.strictEqual(yield* server.next, "still here")
    })
  )
})
