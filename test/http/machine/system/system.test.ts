import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { makeApp, quietGateway } from "../../../support/makeApp.ts"

it.effect("health reports uptime in seconds and the gateway's state", () =>
  Effect.gen(function* () {
    const up = yield* makeApp({
      gateway: quietGateway({
        status: Effect.succeed({ gateway: "ok", since: 0 } as const)
      })
    })
    yield* TestClock.adjust("90 seconds")
    assert.deepStrictEqual(yield* up.json(yield* up.request("/health")), { status: "ok", uptime: 90, gateway: "ok" })
    const down = yield* makeApp()
    assert.deepStrictEqual(yield* down.json(yield* down.request("/health")), {
      status: "ok",
      uptime: 0,
      gateway: "unreachable"
    })
  })
)

it.effect("health reports the uptime although the clock was put right after the start", () =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    let ahead = 0
    const wrong: Clock.Clock = {
      currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
      currentTimeNanos: clock.currentTimeNanos,
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => clock.sleep(duration),
      currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + ahead,
      currentTimeMillis: Effect.sync(() => clock.currentTimeMillisUnsafe() + ahead)
    }
    yield* Effect.gen(function* () {
      const app = yield* makeApp()
      yield* Effect.provideService(TestClock.adjust("5 seconds"), Clock.Clock, clock)
      ahead = 1_795_767_400_000
      assert.deepInclude(yield* app.json(yield* app.request("/health")), { uptime: 5 })
    }).pipe(Effect.provideService(Clock.Clock, wrong))
  })
)

it.effect("health answers within 3 seconds when the gateway's state does not come", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({
      gateway: quietGateway({
        status: Effect.never
      })
    })
    const pending = yield* Effect.forkChild(app.request("/health"))
    yield* TestClock.adjust("3 seconds")
    const response = yield* Fiber.join(pending)
    assert.strictEqual(Reflect.get(Object(yield* app.json(response)), "gateway"), "unreachable")
  })
)

it.effect("server-info reports the clock, the gateway's start, the zone and the agent's name", () =>
  Effect.gen(function* () {
    const gateway = quietGateway({
      problem: Effect.succeed(undefined),
      gatewayStartedAt: Effect.succeed(1_700_000_000_000)
    })
    const app = yield* makeApp({ gateway, settings: { agentName: "Ada" } })
    yield* TestClock.adjust("5 seconds")
    assert.deepStrictEqual(yield* app.json(yield* app.request("/api/server-info")), {
      serverTime: 5000,
      gatewayStartedAt: 1_700_000_000_000,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      agentName: "Ada"
    })
    const without = yield* makeApp()
    const info = yield* without.json(yield* without.request("/api/server-info"))
    assert.isNull(Reflect.get(Object(info), "gatewayStartedAt"))
  })
)

it.effect("connect-defaults never shows the token, and offers to sign in only for trusted requests", () =>
  Effect.gen(function* () {
    const settings = {
      gatewayToken: Redacted.make("secret-token"),
      gatewayUrl: "https://gw.example:8443",
      agentName: "Ada"
    }
    const app = yield* makeApp({ settings })
    const response = yield* app.request("/api/connect-defaults")
    assert.deepStrictEqual(yield* app.json(response), {
      wsUrl: "wss://gw.example:8443",
      token: null,
      agentName: "Ada",
      authEnabled: false,
      serverSideAuth: true
    })
    const serverSideAuth = Effect.fnUntraced(function* (init: Parameters<typeof app.request>[1]) {
      return Reflect.get(Object(yield* app.json(yield* app.request("/api/connect-defaults", init))), "serverSideAuth")
    })
    assert.isFalse(yield* serverSideAuth({ peer: "8.8.8.8" }))
    assert.isFalse(yield* serverSideAuth({ headers: { "x-forwarded-for": "8.8.8.8" } }))
    assert.isTrue(yield* serverSideAuth({ headers: { "x-forwarded-for": "127.0.0.1" } }))
    const tokenless = yield* makeApp()
    const answer = yield* tokenless.json(yield* tokenless.request("/api/connect-defaults"))
    assert.isFalse(Reflect.get(Object(answer), "serverSideAuth"))
  })
)

it.effect("a session makes a distant request trusted", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { authEnabled: true, gatewayToken: Redacted.make("gw") } })
    const login = yield* app.request("/api/auth/login", { method: "POST", body: '{"password":"gw"}', peer: "8.8.8.8" })
    const cookie = (login.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
    const response = yield* app.request("/api/connect-defaults", { peer: "8.8.8.8", headers: { cookie } })
    const answer = Object(yield* app.json(response))
    assert.isTrue(answer.serverSideAuth)
    assert.isTrue(answer.authEnabled)
  })
)

const readiness = (app: Effect.Success<ReturnType<typeof makeApp>>) =>
  Effect.gen(function* () {
    const response = yield* app.request("/readyz")
    return { status: response.status, body: yield* app.json(response) }
  })

it.effect("the probes answer anybody, by whatever address they're asked", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { host: "127.0.0.1", authEnabled: false } })
    for (const path of ["/health", "/healthz", "/readyz"]) {
      const response = yield* app.request(path, { headers: { host: "10.42.0.7:3080" } })
      assert.strictEqual(response.status, 200, path)
      yield* app.json(response)
    }
    assert.strictEqual((yield* app.request("/api/server-info", { headers: { host: "evil.example" } })).status, 403)
    assert.deepStrictEqual(yield* app.json(yield* app.request("/healthz")), { status: "ok" })
  })
)

it.effect("readiness is that the database takes a write; a gateway that's away isn't asked for", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const ready = {
      status: 200,
      body: {
        status: "ok",
        checks: [
          { name: "store", ok: true, required: true },
          { name: "board", ok: true, required: true },
          { name: "gateway", ok: false, required: false }
        ]
      }
    }
    assert.deepStrictEqual(yield* readiness(app), ready)
    yield* app.sqlite.transaction((db) => Result.succeed(db.run("DROP TABLE write_trial")))
    // It's tried once a second at most.
    assert.deepStrictEqual(yield* readiness(app), ready)
    yield* TestClock.adjust("1 second")
    const unready = yield* readiness(app)
    assert.strictEqual(unready.status, 503)
    assert.deepInclude(Reflect.get(Object(unready.body), "checks"), { name: "store", ok: false, required: true })
  })
)
