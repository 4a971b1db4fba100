import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { DoctorCheck } from "../../../../src/contract/schema/machine.ts"
import { GatewayClient } from "../../../../src/services/gateway/client/GatewayClient.ts"
import { makeApp, unreachableGateway } from "../../../support/makeApp.ts"
import { temporaryDirectory } from "../../../support/runConsole.ts"

const Findings = Schema.Struct({ checks: Schema.Array(DoctorCheck) })

const token = { gatewayToken: Redacted.make("the-secret-token") }

const connected = Layer.effect(
  GatewayClient,
  Effect.map(GatewayClient, (client) => ({
    ...client,
    status: Effect.succeed({ gateway: "ok", since: 0 } as const),
    connection: Effect.succeed({ protocol: 4, version: "1.0.0", scopes: ["operator.read"], methods: new Set<string>() })
  }))
).pipe(Layer.provide(unreachableGateway))

const examine = (options: Parameters<typeof makeApp>[0]) =>
  Effect.gen(function* () {
    const app = yield* makeApp(options)
    const response = yield* app.request("/api/doctor")
    assert.strictEqual(response.status, 200)
    const text = yield* Effect.promise(() => response.text())
    assert.notInclude(text, "the-secret-token")
    assert.notInclude(text, app.settings.svcHome)
    const { checks } = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(Findings))(text)
    return (id: DoctorCheck["id"]) => checks.find((check) => check.id === id)
  })

it.effect("everything the console needs is reported, without secrets and paths", () =>
  Effect.gen(function* () {
    const check = yield* examine({ settings: { ...token, port: 0 }, gateway: connected })
    for (const id of ["node", "token", "gateway", "device", "home", "port", "signin", "certificate"] as const) {
      assert.strictEqual(check(id)?.state, "ok", JSON.stringify(check(id)))
    }
    assert.strictEqual(check("gateway-files")?.state, "warning")
    assert.strictEqual(check("speech-model")?.state, "warning")
  })
)

it.effect(
  "other services at the console's name, and another console with its cookie, are named with what mends it",
  () =>
    Effect.gen(function* () {
      const check = yield* examine({ settings: { ...token, allowedOrigins: ["https://nas.example"] } })
      assert.include(check("settings")?.detail ?? "", "over plain HTTP at nas.example")
      assert.include(check("settings")?.fix ?? "", "HSTS=off")

      const secret = { authEnabled: true, sessionSecret: Redacted.make("ab".repeat(32)) }
      const app = yield* makeApp({ settings: { ...token, ...secret } })
      const foreign = `svc_session_3080=9999999999999.${"0".repeat(64)}`
      assert.strictEqual((yield* app.request("/api/doctor", { headers: { cookie: foreign } })).status, 401)
      const signedIn = yield* app.request("/api/auth/login", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ password: "the-secret-token" })
      })
      const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? ""
      const response = yield* app.request("/api/doctor", { headers: { cookie } })
      const text = yield* Effect.promise(() => response.text())
      assert.include(text, "SVC_INSTANCE=second")
    })
)

it.effect("what is missing comes with what to do", () =>
  Effect.gen(function* () {
    const check = yield* examine({ settings: { port: 0, host: "0.0.0.0" } })
    for (const id of ["token", "gateway", "signin"] as const) {
      assert.strictEqual(check(id)?.state, "problem", JSON.stringify(check(id)))
      assert.isDefined(check(id)?.fix)
    }
  })
)

it.effect("a gateway that is just being connected is waited for some seconds, not for ever", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { ...token, port: 0 } })
    const asked = yield* Effect.forkChild(app.request("/api/doctor"))
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual((yield* Fiber.join(asked)).status, 200)
  })
)

it.effect("the speech model is the one that somebody has chosen since the start", () =>
  Effect.gen(function* () {
    const installDir = yield* temporaryDirectory
    const app = yield* makeApp({ settings: { ...token, port: 0, installDir }, gateway: connected })
    const chosen = yield* app.request("/api/transcribe/config", {
      method: "PUT",
      body: JSON.stringify({ model: "base" })
    })
    assert.strictEqual(chosen.status, 200)
    yield* app.json(chosen)
    const answer = yield* app.json(yield* app.request("/api/doctor"))
    const { checks } = yield* Schema.decodeUnknownEffect(Findings)(answer)
    assert.match(checks.find(({ id }) => id === "speech-model")?.detail ?? "", /^base /)
  })
)

it.effect("a database that the console has open and can't write to is a problem", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { ...token, port: 0 }, gateway: connected })
    yield* app.sqlite.transaction((db) => Result.succeed(db.run("DROP TABLE write_trial")))
    const response = yield* app.request("/api/doctor")
    const text = yield* Effect.promise(() => response.text())
    const { checks } = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(Findings))(text)
    const home = checks.find(({ id }) => id === "home")
    assert.strictEqual(home?.state, "problem")
    assert.match(home?.detail ?? "", /^Couldn't read or write the board's file/)
  })
)

it.effect("asks for sign-in like everything else", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { ...token, authEnabled: true } })
    assert.strictEqual((yield* app.request("/api/doctor")).status, 401)
  })
)

it.effect("an undeclared proxy is reported with the setting to change, and nothing without one", () =>
  Effect.gen(function* () {
    const forwarded = { "x-forwarded-for": "8.8.8.8", host: "127.0.0.1:3080" }
    for (const [peer, headers, expected] of [
      ["127.0.0.1", forwarded, undefined],
      ["172.18.0.5", forwarded, /TRUSTED_PROXIES=127\.0\.0\.1,::1,172\.18\.0\.5/],
      ["127.0.0.1", { host: "nas.example" }, /X-Forwarded-For/]
    ] as const) {
      const app = yield* makeApp({
        settings: { ...token, port: 0, authEnabled: true },
        gateway: connected
      })
      const login = yield* app.request("/api/auth/login", {
        method: "POST",
        body: JSON.stringify({ password: "the-secret-token" }),
        headers,
        peer
      })
      const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? ""
      for (let count = 0; count < 3; count++) {
        yield* app.request("/api/server-info", { headers: { ...headers, cookie }, peer })
      }
      const response = yield* app.request("/api/doctor", { headers: { cookie } })
      const text = yield* Effect.promise(() => response.text())
      const { checks } = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(Findings))(text)
      const proxy = checks.find(({ id }) => id === "proxy")
      if (expected === undefined) assert.isUndefined(proxy)
      else {
        assert.strictEqual(proxy?.state, "warning")
        assert.match(proxy?.fix ?? "", expected)
      }
    }
  })
)
