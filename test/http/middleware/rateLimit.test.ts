import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { ratePresets } from "../../../src/services/access/ratelimit/attemptStore.ts"
import { makeApp } from "../../support/makeApp.ts"

it.effect("each route has the limit of its class", () =>
  Effect.gen(function* () {
    const { routes } = yield* makeApp()
    const rateOf = (method: string, pattern: string) => {
      const row = routes.find((route) => route.method === method && route.pattern === pattern)
      assert.isDefined(row, `${method} ${pattern}`)
      return row?.mark.rate
    }
    assert.strictEqual(rateOf("POST", "/api/tts"), ratePresets.tts)
    assert.strictEqual(rateOf("POST", "/api/transcribe"), ratePresets.transcribe)
    for (const pattern of ["/api/drafts", "/api/outbox", "/api/sessions/marks", "/api/files/find"]) {
      assert.strictEqual(rateOf("GET", pattern), ratePresets.writing, pattern)
    }
    assert.strictEqual(rateOf("PUT", "/api/drafts"), ratePresets.writing)
    assert.strictEqual(rateOf("POST", "/api/outbox"), ratePresets.writing)
    assert.strictEqual(rateOf("PATCH", "/api/outbox/:id"), ratePresets.writing)
    assert.strictEqual(rateOf("GET", "/api/kanban/tasks"), ratePresets.general)
    assert.strictEqual(rateOf("POST", "/api/agentlog"), ratePresets.general)
    const unlimited = routes.filter(({ mark, pattern }) => pattern.startsWith("/api/") && mark.rate === undefined)
    assert.sameMembers(
      unlimited.map(({ method, pattern }) => `${method} ${pattern}`),
      ["GET /api/version", "GET /api/auth/status", "POST /api/auth/logout", "GET /api/agentlog", "GET /api/live"]
    )
  })
)

it.effect("60 requests a minute pass, the next gets 429 with the time to wait, and the window slides", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    for (let index = 0; index < 60; index++) {
      const response = yield* app.request(`/api/server-info?n=${index}`)
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("x-ratelimit-limit"), "60")
      assert.strictEqual(response.headers.get("x-ratelimit-remaining"), String(59 - index))
      if (index === 0) yield* TestClock.adjust("20 seconds")
    }
    const refused = yield* app.request("/api/server-info")
    assert.strictEqual(refused.status, 429)
    assert.strictEqual(refused.headers.get("retry-after"), "40")
    assert.strictEqual(refused.headers.get("x-ratelimit-remaining"), "0")
    assert.strictEqual(refused.headers.get("x-ratelimit-reset"), "60")
    assert.deepStrictEqual(yield* app.json(refused), {
      error: "rate_limited",
      details: "too many requests; try again in 40 s"
    })
    assert.strictEqual((yield* app.request("/api/connect-defaults")).status, 200)
    yield* TestClock.adjust("40 seconds")
    assert.strictEqual((yield* app.request("/api/server-info")).status, 200)
    assert.strictEqual((yield* app.request("/api/server-info")).status, 429)
  })
)

it.effect("errors carry the limit headers too, exempt routes never do", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    assert.strictEqual((yield* app.request("/api/nothing")).headers.get("x-ratelimit-remaining"), "59")
    for (const path of ["/api/version", "/api/auth/status", "/health", "/"]) {
      for (let index = 0; index < 70; index++) {
        const response = yield* app.request(path)
        assert.notStrictEqual(response.status, 429, path)
        assert.isNull(response.headers.get("x-ratelimit-limit"), path)
      }
    }
  })
)

it.effect("clients count apart, and only a trusted proxy may name one", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const remaining = Effect.fnUntraced(function* (peer: string, headers: Record<string, string> = {}) {
      const response = yield* app.request("/api/server-info", { peer, headers })
      return Number(response.headers.get("x-ratelimit-remaining"))
    })
    assert.strictEqual(yield* remaining("8.8.8.8"), 59)
    assert.strictEqual(yield* remaining("8.8.8.8", { "x-forwarded-for": "1.1.1.1" }), 58)
    assert.strictEqual(yield* remaining("127.0.0.1", { "x-forwarded-for": "6.6.6.6, 1.1.1.1" }), 59)
    assert.strictEqual(yield* remaining("127.0.0.1", { "x-forwarded-for": "7.7.7.7, 1.1.1.1" }), 58)
    assert.strictEqual(yield* remaining("127.0.0.1", { "x-real-ip": "1.1.1.1" }), 57)
  })
)

it.effect("another spelling of a path is no way around its limit or its exemption", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { authEnabled: true } })
    for (const path of ["/%61pi/server-info", "/api/server%2Dinfo", "/api/server-info;x=/api/version"]) {
      const response = yield* app.request(path)
      assert.strictEqual(response.status, 401, path)
      assert.strictEqual(response.headers.get("x-ratelimit-limit"), "60", path)
    }
    for (const path of ["/API/server-info", "//api/server-info"]) {
      assert.strictEqual((yield* app.request(`http://127.0.0.1:3080${path}`)).status, 503, path)
    }
  })
)

it.effect("unknown paths share one limit, so that made-up ones are no way around it", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    for (let index = 0; index < 60; index++) {
      assert.strictEqual((yield* app.request(`/api/made-up-${index}`)).status, 404)
    }
    assert.strictEqual((yield* app.request("/api/another")).status, 429)
    assert.strictEqual((yield* app.request("/other", { method: "DELETE" })).status, 429)
    assert.strictEqual((yield* app.request("/api/server-info")).status, 200)
  })
)

it.effect("a session's requests count for it alone, wherever they come from", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { authEnabled: true, gatewayToken: Redacted.make("gw") } })
    const signIn = Effect.map(
      app.request("/api/auth/login", { method: "POST", body: JSON.stringify({ password: "gw" }) }),
      (response) => response.headers.get("set-cookie")?.split(";")[0] ?? ""
    )
    const cookies = [yield* signIn, yield* signIn] as const
    const left = Effect.fnUntraced(function* (cookie: string, peer: string) {
      const response = yield* app.request("/api/server-info", { peer, headers: { cookie } })
      return [response.status, Number(response.headers.get("x-ratelimit-remaining"))]
    })
    assert.deepStrictEqual(yield* left(cookies[0], "8.8.8.8"), [200, 59])
    assert.deepStrictEqual(yield* left(cookies[0], "9.9.9.9"), [200, 58])
    assert.deepStrictEqual(yield* left(cookies[1], "8.8.8.8"), [200, 59])
    assert.deepStrictEqual(yield* left("", "8.8.8.8"), [401, 59])
    assert.deepStrictEqual(yield* left(`${cookies[0]}0`, "8.8.8.8"), [401, 58])
  })
)
