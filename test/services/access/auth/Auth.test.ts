import { mkdirSync, writeFileSync } from "node:fs"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Auth } from "../../../../src/services/access/auth/Auth.ts"
import { hashPassword } from "../../../../src/services/access/auth/passwordHash.ts"
import { RevokedSessions } from "../../../../src/services/access/auth/RevokedSessions.ts"
import { Settings, type SettingsShape } from "../../../../src/services/platform/settings/Settings.ts"
import { testSettings } from "../../../support/testSettings.ts"

const AuthLayer = Auth.layer.pipe(Layer.provide(RevokedSessions.layer))

const makeAuth = Effect.fnUntraced(function* (overrides: Partial<SettingsShape>) {
  const settings = Settings.layerOf(
    testSettings({ authEnabled: true, sessionSecret: Redacted.make("ab".repeat(32)), ...overrides })
  )
  const context = yield* Layer.build(Layer.fresh(AuthLayer).pipe(Layer.provide(settings)))
  return yield* Auth.pipe(Effect.provideContext(context))
})

const temporaryHome = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

it.layer(NodeServices.layer)((it) => {
  it.effect("with auth off every request may pass and none has a session", () =>
    Effect.gen(function* () {
      const auth = yield* makeAuth({ authEnabled: false })
      assert.isTrue(yield* auth.isAuthenticated(undefined))
      assert.isFalse(yield* auth.hasSession("svc_session_3080=x"))
    })
  )

  it.effect("the gateway token is the password only while no hash is configured", () =>
    Effect.gen(function* () {
      const gatewayToken = Redacted.make("gateway-token")
      const without = yield* makeAuth({ gatewayToken })
      yield* without.login("gateway-token")
      assert.strictEqual((yield* Effect.flip(without.login("other")))._tag, "InvalidPassword")
      const passwordHash = Redacted.make(yield* hashPassword("secret"))
      const withHash = yield* makeAuth({ gatewayToken, passwordHash })
      yield* withHash.login("secret")
      yield* Effect.flip(withHash.login("gateway-token"))
      const neither = yield* makeAuth({})
      yield* Effect.flip(neither.login(""))
    })
  )

  it.effect("a cookie of the same name that another console made is noticed, once the secret lasts", () =>
    Effect.gen(function* () {
      const gatewayToken = Redacted.make("t")
      const other = yield* makeAuth({ gatewayToken, sessionSecret: Redacted.make("cd".repeat(32)) })
      const foreign = `${other.cookieName}=${(yield* other.login("t")).value}`
      const auth = yield* makeAuth({ gatewayToken })
      const own = `${auth.cookieName}=${(yield* auth.login("t")).value}`
      for (const cookie of [undefined, own, `${auth.cookieName}=`, `${auth.cookieName}=x`, `other=${own}`])
        yield* auth.isAuthenticated(cookie)
      assert.isFalse(auth.sharesCookie())
      assert.isFalse(yield* auth.isAuthenticated(foreign))
      assert.isTrue(auth.sharesCookie())
      const fresh = yield* makeAuth({ gatewayToken, sessionSecret: undefined })
      yield* fresh.isAuthenticated(foreign)
      assert.isFalse(fresh.sharesCookie())
    })
  )

  it.effect("a session lives exactly for its lifetime and survives a restart with the same secret", () =>
    Effect.gen(function* () {
      const overrides = { gatewayToken: Redacted.make("t"), sessionTtlMs: 5000, svcHome: yield* temporaryHome }
      const auth = yield* makeAuth(overrides)
      const cookie = `x=1; ${auth.cookieName}=${(yield* auth.login("t")).value}`
      assert.isTrue(yield* auth.isAuthenticated(cookie))
      assert.isTrue(yield* (yield* makeAuth(overrides)).isAuthenticated(cookie))
      assert.isFalse(yield* (yield* makeAuth({ ...overrides, sessionSecret: undefined })).isAuthenticated(cookie))
      yield* TestClock.adjust("4999 millis")
      assert.isTrue(yield* auth.isAuthenticated(cookie))
      yield* TestClock.adjust("1 millis")
      assert.isFalse(yield* auth.isAuthenticated(cookie))
    })
  )

  it.effect("logout ends that session and no other, also after a restart, in a private file", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const svcHome = `${yield* temporaryHome}/.agent-console`
      const overrides = { gatewayToken: Redacted.make("t"), svcHome }
      const auth = yield* makeAuth(overrides)
      const first = `${auth.cookieName}=${(yield* auth.login("t")).value}`
      const second = `${auth.cookieName}=${(yield* auth.login("t")).value}`
      yield* auth.logout(first)
      for (const instance of [auth, yield* makeAuth(overrides)]) {
        assert.isFalse(yield* instance.isAuthenticated(first))
        assert.isTrue(yield* instance.isAuthenticated(second))
      }
      const file = `${svcHome}/revoked-sessions.json`
      assert.strictEqual((yield* fs.stat(file)).mode & 0o777, 0o600)
      assert.notInclude(yield* fs.readFileString(file), first.slice(first.indexOf("=") + 1))
    })
  )

  it.effect("only genuine sessions are listed, and expired ones leave the list", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const svcHome = yield* temporaryHome
      const auth = yield* makeAuth({ gatewayToken: Redacted.make("t"), svcHome, sessionTtlMs: 1000 })
      yield* auth.logout(`${auth.cookieName}=1.${"0".repeat(64)}`)
      assert.deepStrictEqual(yield* fs.readDirectory(svcHome), [])
      yield* auth.logout(`${auth.cookieName}=${(yield* auth.login("t")).value}`)
      yield* TestClock.adjust("2 seconds")
      yield* auth.logout(`${auth.cookieName}=${(yield* auth.login("t")).value}`)
      const listed = JSON.parse(yield* fs.readFileString(`${svcHome}/revoked-sessions.json`))
      assert.strictEqual(listed.length, 1)
    })
  )

  it.effect.each([
    ["damaged", (file: string) => writeFileSync(file, "{oops")],
    ["unreadable", (file: string) => mkdirSync(file)]
  ] as const)("a list that is %s is set aside, and no session of before it counts", ([, spoil]) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const overrides = { gatewayToken: Redacted.make("t"), svcHome: yield* temporaryHome }
      const before = yield* makeAuth(overrides)
      const ended = `${before.cookieName}=${(yield* before.login("t")).value}`
      yield* before.logout(ended)
      const file = `${overrides.svcHome}/revoked-sessions.json`
      yield* fs.remove(file)
      spoil(file)
      yield* TestClock.adjust("1 second")
      const auth = yield* makeAuth(overrides)
      assert.isFalse(yield* auth.isAuthenticated(ended))
      const fresh = `${auth.cookieName}=${(yield* auth.login("t")).value}`
      assert.isTrue(yield* auth.isAuthenticated(fresh))
      assert.sameMembers(yield* fs.readDirectory(overrides.svcHome), [
        "revoked-sessions.json",
        "revoked-sessions.json.damaged"
      ])
      const restarted = yield* makeAuth(overrides)
      assert.isFalse(yield* restarted.isAuthenticated(ended))
      assert.isTrue(yield* restarted.isAuthenticated(fresh))
    })
  )
})
