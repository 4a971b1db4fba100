import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { hashPassword } from "../../../../src/services/access/auth/passwordHash.ts"
import { makeApp } from "../../../support/makeApp.ts"

const withPassword = Effect.gen(function* () {
  const passwordHash = Redacted.make(yield* hashPassword("open sesame"))
  return yield* makeApp({ settings: { authEnabled: true, passwordHash, gatewayToken: Redacted.make("gw") } })
})

const login = (password: unknown) => ({ method: "POST", body: JSON.stringify({ password }) })

it.effect("while auth is off no route asks for credentials and login always succeeds", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    assert.deepStrictEqual(yield* app.json(yield* app.request("/api/auth/status")), {
      authEnabled: false,
      authenticated: true
    })
    const response = yield* app.request("/api/auth/login", { method: "POST" })
    assert.deepStrictEqual(yield* app.json(response), { ok: true })
    assert.isNull(response.headers.get("set-cookie"))
    assert.strictEqual((yield* app.request("/api/server-info")).status, 200)
  })
)

it.effect("with auth on everything under /api but auth and version needs a session; files and health do not", () =>
  Effect.gen(function* () {
    const app = yield* withPassword
    for (const path of ["/api/server-info", "/api/events", "/api/openapi.json", "/api/nothing", "/api"]) {
      const response = yield* app.request(path)
      assert.strictEqual(response.status, 401, path)
      assert.deepStrictEqual(yield* app.json(response), { error: "Authentication required" })
    }
    for (const path of ["/api/version", "/api/auth/status", "/health"]) {
      assert.strictEqual((yield* app.request(path)).status, 200, path)
    }
    assert.strictEqual((yield* app.request("/")).status, 503)
  })
)

it.effect("login sets the cookie, the cookie opens the API, logout ends it for good", () =>
  Effect.gen(function* () {
    const app = yield* withPassword
    const response = yield* app.request("/api/auth/login", login("open sesame"))
    assert.strictEqual(response.status, 200)
    assert.deepStrictEqual(yield* app.json(response), { ok: true })
    const setCookie = response.headers.get("set-cookie") ?? ""
    assert.match(setCookie, /^svc_session_3080=\d+\.[0-9a-f]{64}; /)
    assert.match(setCookie, /HttpOnly/)
    assert.match(setCookie, /SameSite=Strict/)
    assert.match(setCookie, /Path=\//)
    assert.match(setCookie, /Max-Age=2592000/)
    assert.notMatch(setCookie, /Secure/)
    const cookie = setCookie.split(";")[0] ?? ""
    const status = yield* app.request("/api/auth/status", { headers: { cookie } })
    assert.deepStrictEqual(yield* app.json(status), { authEnabled: true, authenticated: true })
    assert.strictEqual((yield* app.request("/api/server-info", { headers: { cookie } })).status, 200)
    const logout = yield* app.request("/api/auth/logout", { method: "POST", headers: { cookie } })
    assert.deepStrictEqual(yield* app.json(logout), { ok: true })
    assert.match(logout.headers.get("set-cookie") ?? "", /^svc_session_3080=; Max-Age=0/)
    assert.strictEqual((yield* app.request("/api/server-info", { headers: { cookie } })).status, 401)
  })
)

it.effect("consoles behind one host name keep their cookies apart by their instances", () =>
  Effect.gen(function* () {
    const settings = { authEnabled: true, passwordHash: Redacted.make(yield* hashPassword("open sesame")) }
    const named = (instance: string | undefined) => makeApp({ settings: { ...settings, instance } })
    const home = yield* named("home")
    const office = yield* named("office")
    const apps = [home, office, yield* named(undefined)]
    const cookies = yield* Effect.forEach(apps, (app) =>
      Effect.map(app.request("/api/auth/login", login("open sesame")), ({ headers }) => {
        const [cookie = ""] = (headers.get("set-cookie") ?? "").split(";")
        return cookie
      })
    )
    assert.deepStrictEqual(
      cookies.map((cookie) => cookie.split("=")[0]),
      ["svc_session_3080_home", "svc_session_3080_office", "svc_session_3080"]
    )
    // A browser sends all of them to each.
    const headers = { cookie: cookies.join("; ") }
    for (const app of apps) assert.strictEqual((yield* app.request("/api/server-info", { headers })).status, 200)
    assert.strictEqual((yield* home.request("/api/server-info", { headers: { cookie: cookies[1] ?? "" } })).status, 401)
    yield* office.request("/api/auth/logout", { method: "POST", headers })
    assert.strictEqual((yield* office.request("/api/server-info", { headers })).status, 401)
    assert.strictEqual((yield* home.request("/api/server-info", { headers })).status, 200)
  })
)

it.effect("the cookie is Secure where HTTPS is spoken for the console by a trusted proxy", () =>
  Effect.gen(function* () {
    const app = yield* withPassword
    const headers = { "x-forwarded-proto": "https", "x-forwarded-for": "1.1.1.1" }
    const trusted = yield* app.request("/api/auth/login", { ...login("open sesame"), headers })
    assert.match(trusted.headers.get("set-cookie") ?? "", /Secure/)
    const stranger = yield* app.request("/api/auth/login", { ...login("open sesame"), headers, peer: "8.8.8.8" })
    assert.notMatch(stranger.headers.get("set-cookie") ?? "", /Secure/)
  })
)

it.effect("login errors say what was missing, wrong or too much", () =>
  Effect.gen(function* () {
    const app = yield* withPassword
    const cases: ReadonlyArray<readonly [string, number, object]> = [
      ["{}", 400, { error: "Password required" }],
      ['{"password":""}', 400, { error: "Password required" }],
      ['{"password":"wrong"}', 401, { error: "Invalid password" }],
      ['{"password":"gw"}', 401, { error: "Invalid password" }]
    ]
    for (const [body, status, answer] of cases) {
      const response = yield* app.request("/api/auth/login", { method: "POST", body })
      assert.strictEqual(response.status, status, body)
      assert.deepStrictEqual(yield* app.json(response), answer)
      assert.isNull(response.headers.get("set-cookie"))
    }
  })
)

it.effect("the sixth failed login within a minute waits, also with the right password; success does not count", () =>
  Effect.gen(function* () {
    const app = yield* withPassword
    for (let index = 0; index < 8; index++) {
      assert.strictEqual((yield* app.request("/api/auth/login", login("open sesame"))).status, 200)
    }
    const attempts = yield* Effect.all(
      Array.from({ length: 12 }, (_, index) => app.request("/api/auth/login", login(`guess ${index}`))),
      { concurrency: "unbounded" }
    )
    assert.strictEqual(attempts.filter((response) => response.status === 401).length, 5)
    const refused = yield* app.request("/api/auth/login", login("open sesame"))
    assert.strictEqual(refused.status, 429)
    assert.strictEqual(refused.headers.get("retry-after"), "60")
    assert.strictEqual((yield* app.request("/api/auth/login", { ...login("x"), peer: "8.8.8.8" })).status, 401)
    yield* TestClock.adjust("60 seconds")
    assert.strictEqual((yield* app.request("/api/auth/login", login("open sesame"))).status, 200)
  })
)

it.effect("damaged, forged and huge cookies are simply not a session", () =>
  Effect.gen(function* () {
    const app = yield* withPassword
    for (const value of [
      "%",
      "%zz",
      "%ff",
      "",
      ".",
      `1.${"0".repeat(64)}`,
      "x".repeat(8000),
      '"',
      "99999999999999.0"
    ]) {
      const response = yield* app.request("/api/server-info", { headers: { cookie: `svc_session_3080=${value}` } })
      assert.strictEqual(response.status, 401, value.slice(0, 40))
    }
  })
)
