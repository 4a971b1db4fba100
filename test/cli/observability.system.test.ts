import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { consoleAddress } from "../support/consoleAddress.ts"
import { startConsole, temporaryDirectory } from "../support/runConsole.ts"

const SECRETS = {
  PORT: "0",
  GATEWAY_URL: "http://127.0.0.1:1",
  GATEWAY_TOKEN: "token-of-the-gateway",
  VENDOR_A_API_KEY: "key-of-the-vendor",
  SVC_SESSION_SECRET: "ab".repeat(32)
}
const WRITTEN = /token-of-the-gateway|key-of-the-vendor|abababab|private|wrong-password/

const send = (url: string, method: string, path: string, body?: object) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    await answer.arrayBuffer()
    return answer.status
  })

const REQUESTS: ReadonlyArray<readonly [status: number, method: string, path: string, body?: object]> = [
  [200, "POST", "/api/memories", { text: "private memory", section: "private" }],
  [201, "POST", "/api/kanban/tasks", { title: "private title" }],
  [200, "GET", "/api/kanban/tasks?q=private-search"],
  [200, "POST", "/api/files/write", { path: "private.md", content: "private", mtime: 0 }],
  [200, "POST", "/api/auth/login", { password: "wrong-password" }],
  [502, "GET", "/api/gateway/models"],
  [502, "POST", "/api/gateway/session-patch", { sessionKey: "private", model: "m/x" }]
]

/** Uses a console as somebody would who writes private things. */
const useConsole = (url: string) =>
  Effect.forEach(
    REQUESTS,
    ([status, ...request]) =>
      Effect.map(send(url, ...request), (found) => assert.strictEqual(found, status, request[1])),
    { discard: true }
  )

/** A collector on loopback: the bodies it got, by path. */
const collector = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly bodies: Map<string, string>; readonly close: () => void }>(
    (resume) => {
      const bodies = new Map<string, string>()
      const server = createServer((request, response) => {
        const path = request.url ?? ""
        let text = ""
        request.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk
        })
        request.on("end", () => {
          bodies.set(path, `${bodies.get(path) ?? ""}${text}\n`)
          response.writeHead(200, { "content-type": "application/json" }).end("{}")
        })
      }).listen(0, "127.0.0.1", () => {
        const { port }: AddressInfo = Object.assign({ port: 0, address: "", family: "" }, server.address())
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, bodies, close }))
      })
    }
  ),
  ({ close }) => Effect.sync(close)
)

const Line = Schema.Record(Schema.String, Schema.Unknown)
const decodeLine = Schema.decodeUnknownEffect(Schema.fromJsonString(Line))

describe("what a running console reports about itself", () => {
  it.live("with LOG_FORMAT=json every line of the log is a JSON object, without secrets and texts", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const running = yield* startConsole({ directory, variables: { ...SECRETS, LOG_FORMAT: "json" } })
      yield* useConsole(yield* consoleAddress(running))
      running.child.kill("SIGTERM")
      const ended = yield* Effect.promise(() => running.ended)
      const lines = `${ended.stdout}${ended.stderr}`.trim().split("\n")
      const decoded = yield* Effect.forEach(lines, (line) => decodeLine(line))
      assert.isTrue(decoded.some(({ message }) => String(message).startsWith("POST /api/kanban/tasks 201 ")))
      assert.isTrue(decoded.some(({ message }) => String(message).includes("Open")))
      for (const line of decoded) assert.containsAllKeys(line, ["message", "level", "timestamp"])
      assert.notMatch(lines.join("\n"), WRITTEN)
    })
  )

  it.live("with a collector it sends logs, traces and figures there, without secrets, texts and searches", () =>
    Effect.gen(function* () {
      const { url, bodies } = yield* collector
      const directory = yield* temporaryDirectory
      const variables = { ...SECRETS, OTEL_EXPORTER_OTLP_ENDPOINT: url }
      const running = yield* startConsole({ directory, variables })
      yield* useConsole(yield* consoleAddress(running))
      // The last of it leaves at the end.
      running.child.kill("SIGTERM")
      assert.strictEqual((yield* Effect.promise(() => running.ended)).code, 0)
      assert.deepStrictEqual([...bodies.keys()].sort(), ["/v1/logs", "/v1/metrics", "/v1/traces"])
      assert.include(bodies.get("/v1/logs"), "POST /api/kanban/tasks 201")
      assert.include(bodies.get("/v1/metrics"), "agent_console_http_requests_total")
      assert.include(bodies.get("/v1/traces"), "WorkspaceFiles.write")
      for (const [path, body] of bodies) assert.notMatch(body, WRITTEN, path)
    })
  )

  it.live("a collector that is away keeps nobody waiting", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const variables = { ...SECRETS, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }
      const running = yield* startConsole({ directory, variables })
      yield* useConsole(yield* consoleAddress(running))
      running.child.kill("SIGTERM")
      const ended = yield* Effect.promise(() => running.ended)
      assert.strictEqual(ended.code, 0)
      assert.notMatch(`${ended.stdout}${ended.stderr}`, WRITTEN)
    })
  )
})
