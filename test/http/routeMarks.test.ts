import { assert, it } from "@effect/vitest"
import { ByteSize, Effect, Redacted } from "effect"
import { OPEN_ROUTES, OWN_ROUTES } from "../../src/http/GuardedRouter.ts"
import { makeApp } from "../support/makeApp.ts"

const named = ({ method, pattern }: { readonly method: string; readonly pattern: string }) => `${method} ${pattern}`
/** A path that matches a route: any parameter will do. */
const pathOf = (pattern: string) => pattern.replace(/:\w+/g, "x").replace("*", "")

it.effect("only the listed routes are open or decide for themselves; every other one is closed", () =>
  Effect.gen(function* () {
    const { routes } = yield* makeApp({ settings: { development: true } })
    const withAccess = (access: string) => routes.filter(({ mark }) => mark.access === access).map(named)
    assert.sameMembers(withAccess("open"), [...OPEN_ROUTES])
    assert.sameMembers(withAccess("own"), [...OWN_ROUTES.keys()])
    assert.sameMembers(
      [...OPEN_ROUTES],
      [
        "GET /health",
        "GET /healthz",
        "GET /readyz",
        "GET /api/version",
        "GET /api/auth/status",
        "POST /api/auth/login",
        "POST /api/auth/logout"
      ]
    )
    assert.sameMembers(withAccess("command"), [
      "GET /api/doctor",
      "GET /api/search",
      "GET /api/gateways",
      "POST /api/gateways",
      "PATCH /api/gateways/:id",
      "DELETE /api/gateways/:id",
      "POST /api/gateways/:id/retry",
      "POST /api/gateways/:id/probe",
      "GET /api/budgets",
      "POST /api/budgets",
      "DELETE /api/budgets/:id",
      "POST /api/stop",
      "DELETE /api/stop"
    ])
    console.info(
      [
        `Open without a session, of ${routes.length} routes:`,
        ...OPEN_ROUTES,
        "Deciding for themselves:",
        ...[...OWN_ROUTES].map(([route, how]) => `${route}: ${how}`)
      ].join("\n  ")
    )
  })
)

it.effect("every closed route is 401 without a session, for any client and spelling", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { authEnabled: true, development: true } })
    const closed = app.routes.filter(({ mark }) => mark.access === "session" || mark.access === "command")
    assert.isAbove(closed.length, 100)
    for (const { method, pattern } of closed) {
      const body = method === "GET" || method === "DELETE" ? {} : { body: "{}" }
      for (const cookie of ["", "svc_session_3080=x"]) {
        const answer = yield* app.request(pathOf(pattern), { method, headers: { cookie }, peer: "8.8.8.8", ...body })
        assert.include([401, 429], answer.status, `${method} ${pattern}`)
      }
      if (method !== "GET") continue
      const head = yield* app.request(pathOf(pattern), { method: "HEAD", peer: "9.9.9.9" })
      assert.strictEqual(head.status, 401, `HEAD ${pattern}`)
    }
  })
)

it.effect("what matches no route is closed, too, but for the page and the app's files", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { authEnabled: true } })
    const ask = (path: string, method = "GET") => Effect.map(app.request(path, { method }), ({ status }) => status)
    for (const [path, method] of [
      ["/api", "GET"],
      ["/api/", "GET"],
      ["/api/nothing", "GET"],
      ["/api/auth/nothing", "GET"],
      ["/api/auth/status", "DELETE"],
      ["/api/version", "POST"],
      ["/health", "POST"],
      ["/nothing", "POST"],
      ["/mcp", "PUT"]
    ] as const) {
      assert.strictEqual(yield* ask(path, method), 401, `${method} ${path}`)
    }
    // The web app isn't built here.
    assert.strictEqual(yield* ask("/anything"), 503)
    assert.strictEqual(yield* ask("/assets/gone.js"), 404)
  })
)

it.effect("a body may be as large as its route's mark says", () =>
  Effect.gen(function* () {
    const { routes } = yield* makeApp()
    const limits = new Map(routes.map((route) => [named(route), ByteSize.toNumberUnsafe(route.mark.bodyLimit)]))
    const general = 13 * 1024 * 1024
    const special = [...limits].filter(([, limit]) => limit !== general)
    assert.deepStrictEqual(Object.fromEntries(special), {
      "POST /api/tts": 65_536,
      "POST /api/agentlog": 65_536,
      "POST /api/auth/login": 65_536,
      "GET /mcp": 1_048_576,
      "POST /mcp": 1_048_576,
      "DELETE /mcp": 1_048_576,
      "POST /api/outbox": 17_000_000,
      "POST /api/uploads": 100_000_000,
      "PUT /api/drafts": 3 * 1024 * 1024,
      "PUT /api/workspace/:key": 640 * 1024,
      "POST /api/transcribe": (12 * 1024 + 64) * 1024
    })
  })
)

it.effect("another site's page gets nothing of the API and spends nobody's limit; links to the page work", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { authEnabled: true, gatewayToken: Redacted.make("gw") } })
    const login = yield* app.request("/api/auth/login", {
      method: "POST",
      body: JSON.stringify({ password: "gw" })
    })
    const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? ""
    const ask = (path: string, site: string, origin?: string, method = "GET") =>
      app.request(path, {
        method,
        headers: { cookie, "sec-fetch-site": site, ...(origin === undefined ? {} : { origin }) }
      })
    for (const site of ["cross-site", "same-site"]) {
      for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]) {
        for (const path of ["/api/server-info", "/api/version", "/api/nothing", "/api/events"]) {
          assert.strictEqual((yield* ask(path, site, undefined, method)).status, 403, `${method} ${path} ${site}`)
          assert.strictEqual((yield* ask(path, site, "http://localhost:1", method)).status, 403, `${method} ${path}`)
        }
      }
      assert.strictEqual((yield* ask("/board", site)).status, 503)
    }
    const allowed = yield* ask("/api/server-info", "cross-site", "http://localhost:3080")
    assert.strictEqual(allowed.headers.get("x-ratelimit-remaining"), "59")
    assert.strictEqual((yield* ask("/api/server-info", "none")).status, 200)
  })
)

it.effect("no other site's page may embed an answer of the API, errors included", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { authEnabled: true } })
    for (const [path, method] of [
      ["/api/version", "GET"],
      ["/api/auth/status", "GET"],
      ["/api/server-info", "GET"],
      ["/api/nothing", "GET"],
      ["/api/version", "DELETE"],
      ["/api/events", "GET"],
      ["/api/server-info", "OPTIONS"]
    ] as const) {
      const { headers } = yield* app.request(path, { method })
      assert.strictEqual(headers.get("cross-origin-resource-policy"), "same-origin", `${method} ${path}`)
    }
  })
)
