import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeApp } from "../../support/makeApp.ts"

it.effect("an allowed origin may read, with credentials; its preflight names the methods, PATCH among them", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { allowedOrigins: ["https://console.example"] } })
    for (const origin of [
      "http://localhost:3080",
      "https://localhost:3443",
      "http://127.0.0.1:3080",
      "https://127.0.0.1:3443",
      "https://console.example"
    ]) {
      const response = yield* app.request("/api/version", { headers: { origin } })
      assert.strictEqual(response.headers.get("access-control-allow-origin"), origin)
      assert.strictEqual(response.headers.get("access-control-allow-credentials"), "true")
      assert.include(response.headers.get("vary") ?? "", "Origin")
      const preflight = yield* app.request("/api/version", {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "PATCH" }
      })
      assert.strictEqual(preflight.status, 204)
      assert.strictEqual(
        preflight.headers.get("access-control-allow-methods"),
        "GET, POST, PUT, PATCH, DELETE, OPTIONS"
      )
      assert.strictEqual(preflight.headers.get("access-control-allow-headers"), "Content-Type, Authorization")
    }
  })
)

it.effect("any other origin gets the answer without leave to read it", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    for (const origin of [
      "https://evil.example",
      "null",
      "http://localhost:3081",
      "http://localhost:3080.evil.example"
    ]) {
      for (const method of ["GET", "OPTIONS"]) {
        const response = yield* app.request("/api/version", { method, headers: { origin } })
        assert.isNull(response.headers.get("access-control-allow-origin"), origin)
        assert.isNull(response.headers.get("access-control-allow-methods"), origin)
      }
    }
    const without = yield* app.request("/api/version")
    assert.strictEqual(without.status, 200)
    assert.isNull(without.headers.get("access-control-allow-origin"))
  })
)

it.effect("OPTIONS without an Origin lists the methods of the path", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const response = yield* app.request("/api/auth/login", { method: "OPTIONS" })
    assert.strictEqual(response.status, 204)
    assert.strictEqual(response.headers.get("allow"), "OPTIONS, POST")
  })
)
