import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { serveProxy } from "../../../support/serveApp.ts"
import { openProxy, type Peer, wsUpstream } from "../../../support/sockets.ts"

const MEBIBYTE = 1_048_576
const turn = Effect.promise(() => new Promise(setImmediate))

/** Waits until nothing the sender has queued leaves any more, and says how much is left in its own process. */
const stuck = Effect.fnUntraced(function* (sender: Peer) {
  let left = -1
  for (let quiet = 0; quiet < 200; quiet++) {
    if (sender.ws.bufferedAmount !== left) {
      left = sender.ws.bufferedAmount
      quiet = 0
    }
    yield* turn
  }
  return left
})

describe("a reader that stops reading", () => {
  const joined = Effect.gen(function* () {
    const upstream = yield* wsUpstream()
    const proxy = yield* serveProxy()
    const client = yield* openProxy(proxy.port, { target: upstream.url })
    return { client, server: yield* upstream.accept }
  })

  for (const [name, pick] of [
    ["browser", ({ client, server }: { client: Peer; server: Peer }) => ({ reader: client, writer: server })],
    ["gateway", ({ client, server }: { client: Peer; server: Peer }) => ({ reader: server, writer: client })]
  ] as const) {
    it.live(`${name}: what the other side sends stays with it, and nothing is lost when reading goes on`, () =>
      Effect.gen(function* () {
        const { reader, writer } = pick(yield* joined)
        yield* writer.send("first")
        assert.strictEqual(yield* reader.next, "first")
        reader.ws.pause()
        const chunk = Buffer.alloc(MEBIBYTE, 5)
        const total = 32
        for (let n = 0; n < total; n++) yield* writer.send(chunk)
        // The system's own buffers of both connections hold a few megabytes; the proxy holds next to nothing.
        assert.isAbove(yield* stuck(writer), (total / 2) * MEBIBYTE)
        reader.ws.resume()
        for (let n = 0; n < total; n++) {
          const message = yield* reader.next
          assert.isTrue(Buffer.isBuffer(message) && message.equals(chunk))
        }
      })
    )
  }
})

describe("many sessions", () => {
  it.live("50 at once leave no connection behind, however each of them ends", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const { connections, port } = yield* serveProxy()
      const endings: ReadonlyArray<(client: Peer, server: Peer) => void> = [
        (client) => client.ws.close(1000),
        (client) => client.ws.terminate(),
        (_, server) => server.ws.close(1000),
        (_, server) => server.ws.terminate(),
        (client, server) => {
          client.ws.close(1000)
          server.ws.close(1001)
        }
      ]
      const sessions = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, n) => n),
        (n) =>
          Effect.gen(function* () {
            const client = yield* openProxy(port, { target: `${upstream.url}/${n}` })
            yield* client.send(`${n}`)
            return client
          }),
        { concurrency: "unbounded" }
      )
      const servers = yield* Effect.forEach(sessions, () => upstream.accept)
      for (const server of servers) {
        const name = yield* server.next
        assert.strictEqual(server.request?.url, `/${name}`)
        const client = sessions[Number(name)]
        assert.isDefined(client)
        endings[Number(name) % endings.length]?.(client, server)
      }
      yield* Effect.forEach([...sessions, ...servers], (peer) => peer.closed, { concurrency: "unbounded" })
      while ((yield* upstream.connections) > 0 || (yield* connections) > 0) yield* turn
    })
  )

  it.live("end with the server: the browser is notified, the gateway too", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const serving = yield* Scope.make()
      const { port } = yield* serveProxy().pipe(Scope.provide(serving))
      const client = yield* openProxy(port, { target: upstream.url })
      const server = yield* upstream.accept
      yield* client.send("joined")
      yield* server.next
      yield* Scope.close(serving, Exit.void)
      assert.deepStrictEqual(yield* client.closed, { code: 1001, reason: "The console is stopping" })
      assert.deepStrictEqual(yield* server.closed, { code: 1001, reason: "The console is stopping" })
    })
  )
})
