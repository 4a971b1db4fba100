import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeApp, quietGateway } from "../../support/makeApp.ts"

const post = (body: string, headers: Record<string, string> = {}) => ({ method: "POST", body, headers })
const auth = { settings: { authEnabled: true } } as const

it.effect("a body that is not what the route takes is 400 with the first issue, never 500", () =>
  Effect.gen(function* () {
    const app = yield* makeApp(auth)
    for (const body of [
      "{",
      "nonsense",
      "null",
      "[]",
      "7",
      '"text"',
      '{"password":7}',
      '{"password":null}',
      "\u0000"
    ]) {
      const response = yield* app.request("/api/auth/login", post(body))
      assert.strictEqual(response.status, 400, body)
      const answer = yield* app.json(response)
      assert.strictEqual(Reflect.get(Object(answer), "error"), "validation_error", body)
    }
    const typed = yield* app.json(yield* app.request("/api/auth/login", post('{"password":7}')))
    assert.match(String(Reflect.get(Object(typed), "details")), /^password: /)
  })
)

it.effect("a body is JSON whatever its Content-Type says, and an optional one may be absent", () =>
  Effect.gen(function* () {
    const app = yield* makeApp(auth)
    const types = ["application/x-www-form-urlencoded", "text/plain", "application/octet-stream", "multipart/form-data"]
    for (const type of types) {
      const response = yield* app.request("/api/auth/login", post('{"password":"wrong"}', { "content-type": type }))
      assert.strictEqual(response.status, 401, type)
    }
    const absent = yield* app.request("/api/auth/login", { method: "POST" })
    assert.deepStrictEqual(yield* app.json(absent), { error: "Password required" })
  })
)

it.effect("an unknown API path is 404 as JSON, a wrong method 405 with Allow", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    for (const path of ["/api", "/api/", "/api/nothing", "/api/version/", "/api/version/more"]) {
      for (const method of ["GET", "POST", "PROPFIND"]) {
        const response = yield* app.request(path, { method })
        assert.strictEqual(response.status, 404, `${method} ${path}`)
        assert.deepStrictEqual(yield* app.json(response), { error: "not_found" })
      }
    }
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
      const response = yield* app.request("/api/version", { method })
      assert.strictEqual(response.status, 405, method)
      assert.strictEqual(response.headers.get("allow"), "GET, HEAD, OPTIONS")
      assert.deepStrictEqual(yield* app.json(response), { error: "method_not_allowed" })
    }
    const get = yield* app.request("/api/auth/login")
    assert.strictEqual(get.status, 405)
    assert.strictEqual(get.headers.get("allow"), "OPTIONS, POST")
  })
)

it.effect("strange paths are 400 or 404, never 500", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    for (const path of [
      "/api/__proto__",
      "/api/constructor",
      "/api/%00",
      "/api/%",
      "/api/%zz",
      "/api/%ff%fe",
      "/api/..%2f..%2fetc%2fpasswd",
      "/api/a%5cb",
      `/api/${"x".repeat(10_000)}`,
      "/assets/..%2f..%2fpackage.json",
      "/assets/%00.js",
      "/assets/__proto__"
    ]) {
      const response = yield* app.request(path)
      assert.include([400, 404], response.status, path.slice(0, 60))
      const text = yield* Effect.promise(() => response.text())
      assert.notInclude(text, "/nonexistent", path.slice(0, 60))
    }
  })
)

it.effect("HEAD answers like GET, without the body", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const response = yield* app.request("/api/version", { method: "HEAD" })
    assert.strictEqual(response.status, 200)
    assert.strictEqual(yield* Effect.promise(() => response.text()), "")
  })
)

it.effect("a fault of the console's own is 500 as plain text and reveals nothing", () =>
  Effect.gen(function* () {
    const fault = Effect.die(new Error("secret at /home/someone/console.db"))
    for (const development of [false, true]) {
      const gateway = quietGateway({ status: fault })
      const app = yield* makeApp({ gateway, settings: { development } })
      const response = yield* app.request("/health")
      assert.strictEqual(response.status, 500)
      assert.match(response.headers.get("content-type") ?? "", /^text\/plain/)
      assert.strictEqual(response.headers.get("x-frame-options"), "DENY")
      assert.strictEqual(yield* Effect.promise(() => response.text()), "Internal server error")
    }
  })
)
