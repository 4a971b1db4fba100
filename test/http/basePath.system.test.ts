import { request } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hashPassword } from "../../src/services/access/auth/passwordHash.ts"
import { consoleAddress } from "../support/consoleAddress.ts"
import { rawWebSocket } from "../support/rawSocket.ts"
import { runConsole, startConsole, temporaryDirectory } from "../support/runConsole.ts"
import { isInstalled, PROXIES, startProxy } from "../support/targets/proxies.ts"

const BASE = "/console"
const PASSWORD = "open sesame"

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

/** Sends a request whose target is exactly this text. */
const ask = (
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {}
) =>
  Effect.callback<Answer>((resume) => {
    const { body, headers = {}, method = "GET" } = options
    const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      const parts: Array<Buffer> = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("end", () =>
        resume(
          Effect.succeed({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts).toString("utf8")
          })
        )
      )
    })
    sent.on("error", (error) => resume(Effect.die(error)))
    sent.end(body)
  })

const startBelow = Effect.fnUntraced(function* (base: string) {
  const directory = yield* temporaryDirectory
  const variables = {
    BASE_PATH: base,
    HOST: "127.0.0.1",
    PORT: "0",
    SVC_AUTH: "true",
    SVC_PASSWORD_HASH: yield* hashPassword(PASSWORD)
  }
  const address = new URL(
    yield* consoleAddress(yield* startConsole({ directory, variables, args: ["serve", "--demo"] }))
  )
  const port = Number(address.port)
  const signedIn = yield* ask(port, `${base}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ password: PASSWORD })
  })
  const [cookie = ""] = signedIn.headers["set-cookie"] ?? []
  return { address, port, directory, cookie, headers: { cookie: cookie.split(";")[0] ?? "" } }
})

const start = startBelow(BASE)

/** As Home Assistant's ingress, which removes it from the requests that it passes on. */
const INGRESS = "/api/hassio_ingress/dG9rZW4-_x"
const putBack = (sample: string): string =>
  sample.replace("proxy_pass http://agent_console;", `proxy_pass http://agent_console${INGRESS}/;`)

const nginx = PROXIES.find(({ name }) => name === "nginx")

describe("BASE_PATH", () => {
  it.live.skipIf(nginx === undefined || !isInstalled(nginx))(
    "works behind a proxy that removes it, with nginx to put it back (needs nginx)",
    () =>
      Effect.gen(function* () {
        if (nginx === undefined) return
        const { cookie, headers, port } = yield* startBelow(INGRESS)
        const proxy = yield* startProxy(nginx, port, { change: putBack })
        assert.include(cookie, `; Path=${INGRESS}`)
        const { body, status } = yield* ask(proxy, "/api/openapi.json", { headers })
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(JSON.parse(body).servers, [{ url: INGRESS }])
        assert.strictEqual((yield* ask(proxy, "/api/kanban/tasks")).status, 401)
        assert.strictEqual((yield* ask(proxy, "/readyz")).status, 200)
        yield* rawWebSocket(proxy, "/ws", headers)
      })
  )

  it.live("serves everything below it and nothing elsewhere, with the probes at both", () =>
    Effect.gen(function* () {
      const { address, cookie, directory, headers, port } = yield* start
      assert.strictEqual(address.pathname, `${BASE}/`)
      const statusOf = (path: string, method = "GET") =>
        Effect.map(ask(port, path, { headers, method }), ({ status }) => status)

      for (const path of ["/api/version", "/api/auth/status", "/api/server-info", "/api/docs", "/metrics"])
        assert.strictEqual(yield* statusOf(`${BASE}${path}`), 200, path)
      assert.strictEqual(yield* statusOf(`http://127.0.0.1:${port}${BASE}/api/version`), 200)
      assert.strictEqual(yield* statusOf(`${BASE}/mcp`, "POST"), 401)
      for (const probe of ["/health", "/healthz", "/readyz"]) {
        assert.strictEqual(yield* statusOf(probe), 200, probe)
        assert.strictEqual(yield* statusOf(`${BASE}${probe}`), 200, probe)
      }

      const elsewhere = [
        "/",
        "/index.html",
        "/api/version",
        "/api/events",
        "/metrics",
        "/mcp",
        "/sw.js",
        "/consoles/",
        "/CONSOLE/",
        "/%63onsole/",
        "//console/",
        "/console%2Fapi/version",
        "/health/console/"
      ]
      for (const path of elsewhere) {
        const answer = yield* ask(port, path, { headers })
        assert.strictEqual(answer.status, 404, path)
        assert.strictEqual(answer.body, '{"error":"not_found"}', path)
        assert.strictEqual(answer.headers["x-content-type-options"], "nosniff", path)
        assert.strictEqual(yield* statusOf(path, "POST"), 404, path)
      }

      assert.match(cookie, /; Path=\/console(;|$)/)
      const signedOut = yield* ask(port, `${BASE}/api/auth/logout`, { method: "POST" })
      assert.match(String(signedOut.headers["set-cookie"]), /; Path=\/console(;|$)/)

      const document = yield* ask(port, `${BASE}/api/openapi.json`, { headers })
      assert.deepStrictEqual(JSON.parse(document.body).servers, [{ url: BASE }])
      const defaults = yield* ask(port, `${BASE}/api/connect-defaults`, { headers })
      assert.match(JSON.parse(defaults.body).wsUrl, /^ws:\/\/127\.0\.0\.1:\d+\/?$/)

      // A command finds the console by what it announces in its folder.
      const listed = yield* runConsole({
        directory,
        args: ["gateway", "list"],
        variables: { SVC_HOME: `${directory}/.agent-console/demo` }
      })
      assert.strictEqual(listed.code, 0, listed.stderr)
    })
  )

  it.live("redirects the path itself with 308, query and method included", () =>
    Effect.gen(function* () {
      const { port } = yield* start
      for (const [path, location] of [
        [BASE, `${BASE}/`],
        [`${BASE}?a=1&b`, `${BASE}/?a=1&b`],
        [`http://127.0.0.1:${port}${BASE}`, `${BASE}/`]
      ] as const) {
        for (const method of ["GET", "HEAD", "POST"]) {
          const answer = yield* ask(port, path, { method })
          assert.strictEqual(answer.status, 308, path)
          assert.strictEqual(answer.headers.location, location)
        }
      }
    })
  )

  it.live("upgrades below it alone", () =>
    Effect.gen(function* () {
      const { headers, port } = yield* start
      const upgrade = {
        ...headers,
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="
      }
      assert.strictEqual((yield* ask(port, "/ws", { headers: upgrade })).status, 404)
      yield* rawWebSocket(port, `${BASE}/ws`, headers)
    })
  )

  it.live("is refused at the start in one sentence if it can't be a path", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const ended = yield* runConsole({ directory, args: ["serve", "--demo"], variables: { BASE_PATH: "/console/" } })
      assert.strictEqual(ended.code, 3)
      assert.match(ended.stderr, /^agent-console: BASE_PATH must be a path such as \/console: [^\n]+\n$/)
    })
  )
})
