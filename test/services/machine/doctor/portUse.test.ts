import { createServer } from "node:http"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { portUse } from "../../../../src/services/machine/doctor/lookAtPrograms.ts"

/** A server on loopback that answers everything with this; answers its port. */
const listening = (body: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((_request, response) => response.end(body))
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    ),
    (server) => {
      const address = server.address()
      return typeof address === "object" && address !== null ? address.port : 0
    }
  )

const useOf = (host: string, port: number) =>
  portUse({ host, port, basePath: "" }).pipe(Effect.provide(FetchHttpClient.layer))

it.effect("a console is known by what it says, on every interface too", () =>
  Effect.gen(function* () {
    const port = yield* listening('{"name":"agent-console","version":"1.2.3"}')
    assert.deepStrictEqual(yield* useOf("127.0.0.1", port), { kind: "console", version: "1.2.3" })
    assert.deepStrictEqual(yield* useOf("0.0.0.0", port), { kind: "console", version: "1.2.3" })
  })
)

it.effect("another program, nobody, and an address of another machine are distinguished", () =>
  Effect.gen(function* () {
    const port = yield* listening("hello")
    assert.deepStrictEqual(yield* useOf("127.0.0.1", port), { kind: "taken" })
    assert.deepStrictEqual(yield* useOf("127.0.0.1", 0), { kind: "free" })
    assert.deepStrictEqual(yield* useOf("203.0.113.7", port), { kind: "noSuchAddress" })
  })
)
