import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, FileSystem, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Auth, type Session } from "../../../../src/services/access/auth/Auth.ts"
import { RevokedSessions, SessionEnds } from "../../../../src/services/access/auth/RevokedSessions.ts"
import { Settings, type SettingsShape } from "../../../../src/services/platform/settings/Settings.ts"
import { testSettings } from "../../../support/testSettings.ts"

const DAY = 86_400_000

const makeAuth = Effect.fnUntraced(function* (overrides: Partial<SettingsShape> = {}) {
  const svcHome = yield* Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())
  const settings = Settings.layerOf(
    testSettings({ authEnabled: true, gatewayToken: Redacted.make("t"), svcHome, ...overrides })
  )
  const layer = Layer.fresh(Auth.layer.pipe(Layer.provide(RevokedSessions.layer), Layer.provide(settings)))
  const auth = yield* Auth.pipe(Effect.provideContext(yield* Layer.build(layer)))
  const open = Effect.gen(function* () {
    const cookie = `${auth.cookieName}=${(yield* auth.login("t")).value}`
    const session = auth.sessionOf(cookie, 0)
    assert.isDefined(session)
    return { cookie, session }
  })
  return { auth, open }
})

const waiting = (auth: Auth["Service"], session: Session) =>
  Effect.forkChild(auth.untilEnded(session), { startImmediately: true })

const isOver = (fiber: Fiber.Fiber<unknown>) => fiber.pollUnsafe() !== undefined

it.layer(NodeServices.layer)((it) => {
  it.effect("a sign-out is heard by everybody who waits for that session, and by nobody else", () =>
    Effect.gen(function* () {
      const { auth, open } = yield* makeAuth()
      const one = yield* open
      const other = yield* open
      const first = yield* waiting(auth, one.session)
      const second = yield* waiting(auth, one.session)
      const third = yield* waiting(auth, other.session)
      yield* auth.logout(one.cookie)
      yield* Fiber.join(first)
      yield* Fiber.join(second)
      assert.isFalse(isOver(third))
    })
  )

  it.effect("a sign-out counts at once for all sessions of the request, before it's on disk", () =>
    Effect.gen(function* () {
      const { auth, open } = yield* makeAuth()
      const one = yield* open
      const other = yield* open
      const ended: Array<string> = []
      auth.onEnded(one.session, () => ended.push("one"))
      auth.onEnded(other.session, () => ended.push("other"))
      const logout = yield* Effect.forkChild(auth.logout(`${one.cookie}; ${other.cookie}`), { startImmediately: true })
      assert.deepStrictEqual(ended, ["one", "other"])
      assert.isFalse(isOver(logout))
      // A sign-out completes even if its caller is interrupted.
      yield* Fiber.interrupt(logout)
      for (const { cookie } of [one, other]) assert.isFalse(yield* auth.isAuthenticated(cookie))
    })
  )

  it.effect("a sign-out that can't be saved says so, and is saved as soon as that works", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const svcHome = yield* fs.makeTempDirectoryScoped()
      const file = `${svcHome}/revoked-sessions.json`
      const { auth, open } = yield* makeAuth({ svcHome })
      const { cookie } = yield* open
      // Nothing can be written in its place.
      yield* fs.makeDirectory(`${file}/in-the-way`, { recursive: true })
      assert.isFalse(yield* auth.logout(cookie))
      assert.isFalse(yield* auth.isAuthenticated(cookie))
      yield* TestClock.adjust("20 seconds")
      yield* fs.remove(file, { recursive: true })
      const saved = fs.exists(file)
      yield* Effect.repeat(Effect.andThen(TestClock.adjust("5 seconds"), saved), { until: (isThere) => isThere })
      const restarted = yield* makeAuth({ svcHome })
      assert.isFalse(yield* restarted.auth.isAuthenticated(cookie))
      // Nothing is left to be saved again.
      yield* fs.remove(file)
      yield* TestClock.adjust("1 minute")
      assert.isFalse(yield* fs.exists(file))
      assert.isTrue(yield* auth.logout((yield* open).cookie))
    })
  )

  it.effect("a listener added after the end is called at once", () =>
    Effect.gen(function* () {
      const { auth, open } = yield* makeAuth()
      const { cookie, session } = yield* open
      yield* auth.logout(cookie)
      yield* auth.untilEnded(session)
      const late = yield* open
      yield* TestClock.setTime(late.session.expiresAt)
      yield* auth.untilEnded(late.session)
    })
  )

  it.effect("a session ends within a second after it has expired, not before, even after weeks", () =>
    Effect.gen(function* () {
      const { auth, open } = yield* makeAuth({ sessionTtlMs: 60_000 })
      const { session } = yield* open
      const fiber = yield* waiting(auth, session)
      yield* TestClock.adjust(59_999)
      assert.isFalse(isOver(fiber))
      yield* TestClock.adjust(1000)
      yield* Fiber.join(fiber)

      const long = yield* makeAuth({ sessionTtlMs: 30 * DAY })
      const { session: lasting } = yield* long.open
      const patient = yield* waiting(long.auth, lasting)
      yield* TestClock.adjust(1000)
      assert.isFalse(isOver(patient))
      yield* Fiber.interrupt(patient)
    })
  )

  it.effect("who no longer waits is forgotten", () =>
    Effect.gen(function* () {
      const { auth, open } = yield* makeAuth()
      const { cookie, session } = yield* open
      let calls = 0
      auth.onEnded(session, () => calls++)()
      const stay = auth.onEnded(session, () => calls++)
      const fiber = yield* waiting(auth, session)
      yield* Fiber.interrupt(fiber)
      yield* auth.logout(cookie)
      assert.strictEqual(calls, 1)
      stay()
    })
  )
})

it("the record of a session goes with the last who waits for it, and comes back with the next", () => {
  const ends = new SessionEnds()
  const session = { digest: "one", expiresAt: 1 }
  const heard: Array<string> = []
  const forgets = ["a", "b"].map((name) => ends.add(session, () => heard.push(name)))
  ends.add({ digest: "two", expiresAt: 2 }, () => heard.push("other"))
  assert.strictEqual(ends.size, 2)
  for (const forget of forgets) forget()
  assert.strictEqual(ends.size, 1)
  ends.add(session, () => heard.push("c"))
  // Those that have left don't take the new one along.
  for (const forget of forgets) forget()
  ends.notify(({ digest }) => digest === "one")
  assert.deepStrictEqual(heard, ["c"])
  assert.strictEqual(ends.size, 1)
})

it.layer(NodeServices.layer)((it) => {
  it.effect("a clock that is put forward past the end, by any time, is noticed", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const aSecond = Effect.provideService(TestClock.adjust("1 second"), Clock.Clock, clock)
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
        const { auth, open } = yield* makeAuth({ sessionTtlMs: 30 * DAY })
        const { session } = yield* open
        const fiber = yield* waiting(auth, session)
        ahead = 29 * DAY
        yield* aSecond
        assert.isFalse(isOver(fiber))
        ahead = 31 * DAY
        yield* aSecond
        assert.isTrue(isOver(fiber))
      }).pipe(Effect.provideService(Clock.Clock, wrong))
    })
  )
})
