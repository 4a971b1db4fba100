import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { GatewayTools } from "../../../../src/services/gateway/client/GatewayTools.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { testSettings } from "../../../support/testSettings.ts"

type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void

/** A gateway's HTTP port with given responses. */
const serveTools = (answer: Answer) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => answer(request, Buffer.concat(chunks).toString(), response))
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close }))
      })
    }),
    (server) => Effect.sync(server.close)
  )

const Details = Schema.Struct({ id: Schema.String })

const invoke = (gatewayUrl: string, options?: { readonly timeout?: "50 millis"; readonly sessionKey?: string }) =>
  Effect.flatMap(GatewayTools, (tools) => tools.invoke("memory_store", { text: "tea" }, Details, options)).pipe(
    Effect.provide(
      GatewayTools.layer.pipe(
        Layer.provide(FetchHttpClient.layer),
        Layer.provide(Settings.layerOf(testSettings({ gatewayUrl, gatewayToken: Redacted.make("secret") })))
      )
    )
  )

const json = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify(body))
}

describe("GatewayTools", () => {
  it.live("calls a tool with the gateway's token and decodes its details", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const server = yield* serveTools((request, body, response) => {
        seen.push(request.method, request.url, request.headers.authorization, JSON.parse(body))
        json(response, 200, { ok: true, result: { content: [], details: { id: "m1" } } })
      })
      assert.deepStrictEqual(yield* invoke(server.url), { id: "m1" })
      assert.deepStrictEqual(seen, [
        "POST",
        "/tools/invoke",
        "Bearer secret",
        { tool: "memory_store", args: { text: "tea" } }
      ])
      yield* invoke(server.url, { sessionKey: "agent:helper:main" })
      assert.deepStrictEqual(seen.at(-1), {
        tool: "memory_store",
        args: { text: "tea" },
        sessionKey: "agent:helper:main"
      })
    })
  )

  it.live("every failure has a sentence of its own and none repeats the gateway's words", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [reason: string, answer: Answer]> = [
        ["not_allowed", (_, __, response) => json(response, 404, { error: { message: "RAW" } })],
        ["refused", (_, __, response) => json(response, 401, { error: { message: "RAW" } })],
        ["refused", (_, __, response) => json(response, 403, { error: { message: "RAW" } })],
        ["failed", (_, __, response) => json(response, 500, { error: { message: "RAW" } })],
        ["unreachable", (_, __, response) => response.writeHead(302, { location: "http://127.0.0.1/RAW" }).end()],
        ["shape", (_, __, response) => response.end("<html>RAW")],
        ["shape", (_, __, response) => json(response, 200, { ok: true, result: { details: { id: 1, raw: "RAW" } } })],
        ["unreachable", (request) => request.socket.destroy()]
      ]
      for (const [reason, answer] of cases) {
        const server = yield* serveTools(answer)
        const error = yield* invoke(server.url).pipe(Effect.flip)
        assert.strictEqual(error.reason, reason)
        assert.notInclude(error.message, "RAW")
      }
    })
  )

  it.live("a gateway that never answers is given up", () =>
    Effect.gen(function* () {
      const server = yield* serveTools(() => {})
      const error = yield* invoke(server.url, { timeout: "50 millis" }).pipe(Effect.flip)
      assert.strictEqual(error.reason, "timeout")
    })
  )
})
