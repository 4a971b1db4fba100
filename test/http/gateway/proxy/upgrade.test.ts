import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { serveApp, serveProxy } from "../../../support/serveApp.ts"
import { openProxy, wsUpstream } from "../../../support/sockets.ts"

const refusal = (port: number, options: Parameters<typeof openProxy>[1]) => Effect.flip(openProxy(port, options))

describe("the order of the checks", () => {
  const withAuth = {
    authEnabled: true,
    gatewayToken: Redacted.make("the token")
  }

  it.live("a foreign Origin is 403 even before the missing cookie", () =>
    Effect.gen(function* () {
      const { port } = yield* serveProxy(withAuth)
      const refused = yield* refusal(port, { headers: { Origin: "https://evil.example" } })
      assert.strictEqual(refused.status, 403)
    })
  )

  for (const origin of ["null", "http://127.0.0.1:1", "http://localhost.evil.example:3080"]) {
    it.live(`Origin ${origin} is 403`, () =>
      Effect.gen(function* () {
        const { port } = yield* serveProxy()
        assert.strictEqual((yield* refusal(port, { headers: { Origin: origin } })).status, 403)
      })
    )
  }

  it.live("a foreign Host is 403 while auth is off", () =>
    Effect.gen(function* () {
      const { port } = yield* serveProxy()
      assert.strictEqual((yield* refusal(port, { headers: { Host: "rebound.example" } })).status, 403)
    })
  )

  it.live("no cookie is 401 even when the target is not allowed", () =>
    Effect.gen(function* () {
      const { port } = yield* serveProxy(withAuth)
      assert.strictEqual((yield* refusal(port, { target: "ws://elsewhere.example" })).status, 401)
    })
  )

  for (const cookie of ["%", "%E0%A4%A", "%00", "x".repeat(10_000), "a.b.c", "ÿ", '"', "=;=;", "%22%25%zz"]) {
    it.live(`a damaged cookie is 401: ${cookie.slice(0, 12)}`, () =>
      Effect.gen(function* () {
        const { auth, port } = yield* serveProxy(withAuth)
        const headers = { Cookie: `${auth.cookieName}=${cookie}` }
        assert.strictEqual((yield* refusal(port, { headers })).status, 401)
        assert.strictEqual((yield* refusal(port, { headers })).status, 401)
      })
    )
  }

  it.live("a live session may pass", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const { auth, port } = yield* serveProxy(withAuth)
      const session = yield* auth.login("the token")
      const headers = { Cookie: `other=%zz; ${auth.cookieName}=${session.value}` }
      const client = yield* openProxy(port, { headers, target: upstream.url })
      yield* client.send("hello")
      assert.strictEqual(yield* (yield* upstream.accept).next, "hello")
    })
  )
})

describe("the whole app", () => {
  it.live("refuses an upgrade with the security headers", () =>
    Effect.gen(function* () {
      const { port } = yield* serveApp()
      const refused = yield* refusal(port, { headers: { Origin: "https://evil.example" } })
      assert.strictEqual(refused.status, 403)
      assert.strictEqual(refused.headers["x-frame-options"], "DENY")
      assert.strictEqual(refused.headers["x-content-type-options"], "nosniff")
      assert.isString(refused.headers["content-security-policy"])
      assert.strictEqual(refused.headers["cache-control"], "no-store")
    })
  )

  for (const path of ["/", "/ws/", "/ws/x", "/wsx", "/WS", "/api/ws", "/api/version", "/%77s"]) {
    it.live(`${path} does not upgrade`, () =>
      Effect.gen(function* () {
        const { port } = yield* serveApp()
        assert.notStrictEqual((yield* refusal(port, { path })).status, 101)
      })
    )
  }

  it.live("a plain GET of /ws is 426", () =>
    Effect.gen(function* () {
      const { port } = yield* serveApp()
      const response = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/ws`))
      assert.strictEqual(response.status, 426)
      assert.strictEqual(response.headers.get("sec-websocket-version"), "13")
      yield* Effect.promise(() => response.text())
    })
  )
})

describe("a target that is not allowed closes with 1008 and its reason", () => {
  const targets = [
    "ws://elsewhere.example:18789",
    "http://127.0.0.1:18789",
    "file:///etc/passwd",
    "ws://127.0.0.1:0",
    "ws://127.0.0.1:70000",
    "ws://user:password@127.0.0.1:18789",
    "ws://127.0.0.1.evil.example",
    "ws://[::2]:18789",
    "not an address",
    ""
  ]
  for (const target of targets) {
    it.live(target.length === 0 ? "an empty one" : target, () =>
      Effect.gen(function* () {
        const { port } = yield* serveProxy()
        const client = yield* openProxy(port, { target })
        assert.deepStrictEqual(yield* client.closed, { code: 1008, reason: "Target not allowed" })
      })
    )
  }

  it.live("a percent-escape that is damaged", () =>
    Effect.gen(function* () {
      const { port } = yield* serveProxy()
      const client = yield* openProxy(port, { path: "/ws?target=%E0%A4%A" })
      assert.deepStrictEqual(yield* client.closed, { code: 1008, reason: "Target not allowed" })
    })
  )
})

describe("a target that is allowed", () => {
  it.live("is the configured gateway when none is named", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const { port } = yield* serveProxy({ gatewayUrl: upstream.httpUrl })
      yield* openProxy(port)
      assert.strictEqual((yield* upstream.accept).request?.url, "/")
    })
  )

  it.live("may be on [::1], and keeps its path and query", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream({ host: "::1" })
      const { port } = yield* serveProxy()
      yield* openProxy(port, { target: `ws://[::1]:${upstream.port}/some/path?a=1` })
      assert.strictEqual((yield* upstream.accept).request?.url, "/some/path?a=1")
    })
  )

  it.live("may be a host of WS_ALLOWED_HOSTS", () =>
    Effect.gen(function* () {
      const { port } = yield* serveProxy({ wsAllowedHosts: ["gateway.invalid"] })
      const client = yield* openProxy(port, { target: "ws://gateway.invalid:18789" })
      assert.deepStrictEqual(yield* client.closed, { code: 1014, reason: "Couldn't reach the gateway" })
    })
  )

  it.live("sees nothing of the browser's request: no Origin, no cookie, no forwarded header", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const { port } = yield* serveProxy({ allowedOrigins: ["https://console.example"] })
      yield* openProxy(port, {
        target: upstream.url,
        headers: {
          Origin: "https://console.example",
          Cookie: "svc_session_3080=secret",
          Authorization: "Bearer secret",
          "X-Forwarded-For": "127.0.0.1",
          "X-Forwarded-Host": "console.example",
          "X-Real-IP": "127.0.0.1",
          Forwarded: "for=127.0.0.1"
        }
      })
      assert.deepStrictEqual(Object.keys((yield* upstream.accept).request?.headers ?? {}).toSorted(), [
        "connection",
        "host",
        "sec-websocket-key",
        "sec-websocket-version",
        "upgrade"
      ])
    })
  )
})

it.live("is not found with RELAY=off, before anything else is looked at", () =>
  Effect.gen(function* () {
    const { port } = yield* serveProxy({ relay: "off", authEnabled: true })
    for (const headers of [{}, { origin: "https://evil.example" }]) {
      assert.strictEqual((yield* Effect.flip(openProxy(port, { headers }))).status, 404)
    }
    const answer = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/ws`))
    assert.strictEqual(answer.status, 404)
    assert.strictEqual(Object(yield* Effect.promise(() => answer.json())).error, "not_found")
  })
)
