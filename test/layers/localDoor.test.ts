import { createServer, type Server } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { localDoor } from "../../src/layers/Servers.ts"

/** A server on this address, on a port the system chooses. */
const serverOn = (host: string) =>
  Effect.acquireRelease(
    Effect.callback<Server, unknown>((resume) => {
      const server = createServer((request, response) => response.end(`${request.url}`))
      server.once("error", (cause) => resume(Effect.fail(cause)))
      server.listen(0, host, () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  )

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const textAt = (address: string) => Effect.tryPromise(() => fetch(address).then((response) => response.text()))

/** As if the server listened on an address of the network. */
const onNetwork = (server: Server) => ({ address: "192.0.2.1", family: "IPv4", port: portOf(server) })

describe("the way in for commands", () => {
  it.live("is the server's own address where that is the loopback", () =>
    Effect.gen(function* () {
      const server = yield* serverOn("127.0.0.1")
      assert.strictEqual(yield* localDoor(server), `http://127.0.0.1:${portOf(server)}`)
      const everywhere = { address: "0.0.0.0", family: "IPv4", port: 3080 }
      assert.strictEqual(yield* localDoor(server, everywhere), "http://127.0.0.1:3080")
      assert.strictEqual(yield* localDoor(server, { ...everywhere, address: "::" }), "http://127.0.0.1:3080")
      assert.strictEqual(yield* localDoor(server, { ...everywhere, address: "::1" }), "http://[::1]:3080")
      assert.isUndefined(yield* localDoor(server, "/a/pipe"))
    })
  )

  it.live.skipIf(process.platform !== "linux")(
    "is the same port of the loopback for a server on one address of the network, as long as it runs (needs Linux's 127.0.0.2)",
    () =>
      Effect.gen(function* () {
        const server = yield* serverOn("127.0.0.2")
        const address = `http://127.0.0.1:${portOf(server)}`
        yield* Effect.scoped(
          Effect.gen(function* () {
            assert.strictEqual(yield* localDoor(server, onNetwork(server)), address)
            assert.strictEqual(yield* textAt(`${address}/here`), "/here")
          })
        )
        server.closeAllConnections()
        assert.isTrue(Result.isFailure(yield* Effect.result(textAt(address))))
      })
  )

  it.live("isn't there where another program has that port", () =>
    Effect.gen(function* () {
      const server = yield* serverOn("127.0.0.1")
      assert.isUndefined(yield* localDoor(server, onNetwork(server)))
    })
  )
})
