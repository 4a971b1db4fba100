import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { listen } from "../../../support/listen.ts"
import { within } from "../../../support/ownTime.ts"

/** A console with sign-in, and two people who are signed in. */
const signedIn = Effect.fnUntraced(function* (settings: Parameters<typeof listen>[0] = {}) {
  const console = yield* listen({ authEnabled: true, gatewayToken: Redacted.make("the token"), ...settings })
  const { base } = console
  const login = Effect.promise(async () => {
    const answer = await fetch(`${base}/api/auth/login`, {
      method: "POST",
      body: JSON.stringify({ password: "the token" })
    })
    await answer.text()
    return answer.headers.get("set-cookie")?.split(";")[0] ?? ""
  })
  const cookie = yield* login
  const other = yield* login
  const logout = (own: string) =>
    Effect.promise(async () => {
      const answer = await fetch(`${base}/api/auth/logout`, { method: "POST", headers: { cookie: own } })
      return answer.text()
    })
  return { ...console, cookie, other, logout }
})

/** An open stream, whose `connected` has come. */
const openStream = Effect.fnUntraced(function* (base: string, cookie: string) {
  const reader = yield* Effect.promise(async () => {
    const { body } = await fetch(`${base}/api/events`, { headers: { cookie } })
    return body?.getReader()
  })
  assert.isDefined(reader)
  yield* Effect.promise(() => reader.read())
  let isOver = false
  const over = Effect.promise(async () => {
    while (!(await reader.read()).done);
    isOver = true
  })
  return { over, isOver: () => isOver, cancel: Effect.promise(() => reader.cancel()) }
})

/** Over within what a person may wait for after signing out. */
const soon = within(2500)

it.layer(NodeServices.layer, { excludeTestServices: true })((it) => {
  it.effect("signing out ends that session's event streams, and nobody else's", () =>
    Effect.gen(function* () {
      const { base, cookie, logout, other, streams } = yield* signedIn()
      const own = yield* Effect.forEach([1, 2, 3], () => openStream(base, cookie))
      const kept = yield* openStream(base, other)
      const several = yield* openStream(base, `${other}; ${cookie}`)
      assert.strictEqual(yield* streams.size, 5)
      yield* logout(cookie)
      for (const { over } of own) yield* soon(over)
      assert.strictEqual(yield* streams.size, 2)
      yield* logout(other)
      yield* soon(kept.over)
      yield* soon(several.over)
      assert.strictEqual(yield* streams.size, 0)
    })
  )

  it.effect("a session that expires takes its event streams along", () =>
    Effect.gen(function* () {
      const { base, cookie } = yield* signedIn({ sessionTtlMs: 1000 })
      const { over } = yield* openStream(base, cookie)
      yield* within(3500)(over)
    })
  )

  it.effect("with sign-in off, signing out ends nothing", () =>
    Effect.gen(function* () {
      const { base, cookie, events, logout, streams } = yield* signedIn({ authEnabled: false })
      const stream = yield* openStream(base, cookie)
      yield* logout(cookie)
      yield* events.publish({ event: "file.changed", data: { path: "a", mtime: 1 } })
      assert.strictEqual(yield* streams.size, 1)
      assert.isFalse(stream.isOver())
      yield* stream.cancel
    })
  )
})
