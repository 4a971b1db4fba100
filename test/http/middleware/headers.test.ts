import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { protectionHeaders } from "../../../src/http/middleware/protectionHeaders.ts"
import { makeApp, type TestRequest } from "../../support/makeApp.ts"

const PROTECTIONS: Readonly<Record<string, string>> = {
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "x-xss-protection": "1; mode=block",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "referrer-policy": "strict-origin-when-cross-origin"
}

const assertProtected = (response: Response, what: string) => {
  for (const [name, value] of Object.entries(PROTECTIONS)) {
    assert.strictEqual(response.headers.get(name), value, `${what}: ${name}`)
  }
  assert.include(response.headers.get("content-security-policy") ?? "", "default-src 'self'", what)
  assert.isNotNull(response.headers.get("cache-control"), what)
}

const CASES: ReadonlyArray<readonly [what: string, status: number, path: string, init?: TestRequest]> = [
  ["an answer", 200, "/api/version"],
  ["health", 200, "/health"],
  ["an unknown API path", 404, "/api/nothing"],
  ["a wrong method", 405, "/api/version", { method: "POST" }],
  ["an invalid body", 400, "/api/auth/login", { method: "POST", body: "{" }],
  ["a body too large", 413, "/api/nothing", { method: "POST", headers: { "content-length": "99999999" }, body: "x" }],
  ["a refused origin", 403, "/api/auth/logout", { method: "POST", headers: { origin: "https://evil.example" } }],
  ["a refused host", 403, "/", { headers: { host: "evil.example" } }],
  ["a preflight", 204, "/api/version", { method: "OPTIONS", headers: { origin: "http://localhost:3080" } }],
  ["a missing asset", 404, "/assets/none.js"],
  ["a web app that is not built", 503, "/"]
]

it.effect.each(CASES)("%s carries every protection header", ([what, status, path, init]) =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: what === "an invalid body" ? { authEnabled: true } : {} })
    const response = yield* app.request(path, init)
    assert.strictEqual(response.status, status, yield* Effect.promise(() => response.clone().text()))
    assertProtected(response, what)
  })
)

it.effect("401 and 429 carry every protection header", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { authEnabled: true } })
    const unauthenticated = yield* app.request("/api/server-info")
    assert.strictEqual(unauthenticated.status, 401)
    assertProtected(unauthenticated, "401")
    for (let index = 1; index < 60; index++) yield* app.request("/api/server-info")
    const limited = yield* app.request("/api/server-info")
    assert.strictEqual(limited.status, 429)
    assertProtected(limited, "429")
  })
)

it.effect("the policy has its own sources and those of CSP_CONNECT_EXTRA", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { cspConnectExtra: ["wss://gw.example"] } })
    const response = yield* app.request("/api/version")
    const policy = response.headers.get("content-security-policy") ?? ""
    const directives = new Map(policy.split("; ").map((text) => [text.split(" ")[0], text]))
    assert.strictEqual(directives.get("frame-ancestors"), "frame-ancestors 'none'")
    assert.strictEqual(directives.get("base-uri"), "base-uri 'self'")
    assert.strictEqual(directives.get("form-action"), "form-action 'self'")
    assert.strictEqual(directives.get("img-src"), "img-src 'self' data: blob:")
    assert.strictEqual(directives.get("media-src"), "media-src 'self' blob:")
    for (const source of ["http://localhost:*", "wss://127.0.0.1:*", "wss://gw.example"]) {
      assert.include(directives.get("connect-src") ?? "", source)
    }
    assert.notInclude(directives.get("script-src") ?? "", "unsafe")
  })
)

it.effect("API answers are not cached", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const response = yield* app.request("/api/version")
    assert.strictEqual(response.headers.get("cache-control"), "no-cache, no-store")
  })
)

it.effect.each([
  ["subdomains", "max-age=31536000; includeSubDomains"],
  ["host", "max-age=31536000"],
  ["off", null]
] as const)("with HSTS=%s, every answer keeps browsers to HTTPS that far", ([hsts, expected]) =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { hsts } })
    for (const [what, , path, init] of CASES) {
      const { headers } = yield* app.request(path, init)
      assert.strictEqual(headers.get("strict-transport-security"), expected, what)
    }
  })
)

it("every response names the build, where server and page were built together", () => {
  const settings = { cspConnectExtra: [], hsts: "off" } as const
  assert.strictEqual(protectionHeaders(settings, "b1")["x-console-build"], "b1")
  assert.notProperty(protectionHeaders(settings, ""), "x-console-build")
})
