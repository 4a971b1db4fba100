import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { listen } from "../../support/listen.ts"
import { greetedLive, HELLO, openLive } from "../../support/liveSockets.ts"

const TOKEN = "the token"

/** Through a proxy the client is another machine, which nothing but the token makes trusted. */
const REMOTE = { "x-forwarded-for": "8.8.8.8" }

const console = (overrides: Parameters<typeof listen>[0] = {}) =>
  Effect.provide(listen({ gatewayToken: Redacted.make(TOKEN), ...overrides }), NodeServices.layer)

const signIn = (base: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${base}/api/auth/login`, {
      method: "POST",
      body: JSON.stringify({ password: TOKEN }),
      headers: { "content-type": "application/json" }
    })
    await answer.text()
    return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
  })

const signOut = (base: string, cookie: string) =>
  Effect.promise(() =>
    fetch(`${base}/api/auth/logout`, { method: "POST", headers: { cookie } }).then((it) => it.text())
  )

it.live("origin and host are looked at before the cookie, the cookie before the upgrade", () =>
  Effect.gen(function* () {
    const { base, ports } = yield* console({ authEnabled: true })
    const refused = (headers: Readonly<Record<string, string>>) => Effect.flip(openLive(ports.http, { headers }))
    assert.strictEqual(yield* refused({ origin: "https://evil.example" }), 403)
    assert.strictEqual(yield* refused({}), 401)
    const plain = yield* Effect.promise(() => fetch(`${base}/api/live`))
    assert.strictEqual(plain.status, 401)
    const cookie = yield* signIn(base)
    const answer = yield* Effect.promise(() => fetch(`${base}/api/live`, { headers: { cookie } }))
    assert.strictEqual(answer.status, 426)
    yield* Effect.promise(() => answer.text())
    assert.strictEqual((yield* greetedLive(ports.http, { headers: { cookie } })).welcome.t, "welcome")
    const open = yield* console()
    const host = yield* Effect.flip(openLive(open.ports.http, { headers: { host: "evil.example" } }))
    assert.strictEqual(host, 403)
  })
)

it.live("a sign-out closes the sockets of that sign-in with 4401, and no other's", () =>
  Effect.gen(function* () {
    const { base, ports } = yield* console({ authEnabled: true })
    const cookie = yield* signIn(base)
    const other = yield* signIn(base)
    const live = yield* greetedLive(ports.http, { headers: { cookie } })
    const silent = yield* openLive(ports.http, { headers: { cookie } })
    const stays = yield* greetedLive(ports.http, { headers: { cookie: other } })
    yield* signOut(base, cookie)
    for (const one of [live, silent]) {
      const { code, frames } = yield* one.ended
      assert.strictEqual(code, 4401)
      assert.deepStrictEqual(frames.at(-1), { t: "bye", why: { code: "SIGNED_OUT" } })
    }
    yield* stays.send({ t: "ping", n: 1 })
    assert.strictEqual((yield* stays.next).n, 1)
  })
)

it.live("an expired sign-in closes its sockets", () =>
  Effect.gen(function* () {
    const { base, ports } = yield* console({ authEnabled: true, sessionTtlMs: 1500 })
    const live = yield* greetedLive(ports.http, { headers: { cookie: yield* signIn(base) } })
    assert.strictEqual((yield* live.ended).code, 4401)
  })
)

it.live("without sign-in, another machine gets its topics only with a gateway's token", () =>
  Effect.gen(function* () {
    const { ports } = yield* console()
    const opened = Effect.fnUntraced(function* (hello: object, headers: Readonly<Record<string, string>> = REMOTE) {
      const live = yield* greetedLive(ports.http, { headers }, hello)
      assert.strictEqual(live.welcome.t, "welcome")
      yield* live.send({ t: "open", c: 1, topic: "gateways" })
      yield* live.send({ t: "open", c: 2, topic: "events" })
      return [yield* live.next, yield* live.next]
    })
    const notTrusted = (c: number) => ({ t: "gone", c, why: { code: "NOT_TRUSTED" } })
    assert.deepStrictEqual(yield* opened(HELLO), [notTrusted(1), notTrusted(2)])
    assert.deepStrictEqual(yield* opened({ ...HELLO, gatewayToken: "wrong" }), [notTrusted(1), notTrusted(2)])
    assert.deepStrictEqual(yield* opened({ ...HELLO, gatewayToken: { other: TOKEN } }), [notTrusted(1), notTrusted(2)])
    for (const gatewayToken of [TOKEN, { primary: TOKEN }]) {
      const frames = yield* opened({ ...HELLO, gatewayToken })
      assert.deepStrictEqual(
        frames.map(({ t }) => t),
        ["snapshot", "snapshot"]
      )
      const state = frames[0]?.state
      assert.lengthOf(Object(state).items, 1)
    }
    const local = yield* opened(HELLO, {})
    assert.strictEqual(local[0]?.t, "snapshot")
  })
)

it.live("five wrong tokens a minute from an address are looked at, then none is; a missing one isn't counted", () =>
  Effect.gen(function* () {
    const { ports } = yield* console()
    const helloWith = Effect.fnUntraced(function* (more: object, from = "2001:db8::1") {
      const live = yield* openLive(ports.http, { headers: { "x-forwarded-for": from } })
      yield* live.send({ ...HELLO, ...more })
      return live
    })
    for (let count = 0; count < 6; count += 1) assert.strictEqual((yield* (yield* helloWith({})).next).t, "welcome")
    for (let count = 0; count < 5; count += 1) {
      // All of an IPv6 network counts as one.
      const live = yield* helloWith({ gatewayToken: `wrong ${count}` }, `2001:db8::${count + 1}`)
      assert.strictEqual((yield* live.next).t, "welcome")
    }
    const refused = yield* (yield* helloWith({ gatewayToken: TOKEN })).ended
    assert.strictEqual(refused.code, 4429)
    assert.strictEqual(refused.frames[0]?.t, "bye")
    assert.deepStrictEqual(refused.frames[0]?.why, { code: "TOO_MANY_FRAMES" })
    assert.isAbove(Number(refused.frames[0]?.retryAfterMs), 0)
    assert.strictEqual((yield* (yield* helloWith({})).next).t, "welcome")
    assert.strictEqual((yield* (yield* helloWith({ gatewayToken: TOKEN }, "9.9.9.9")).next).t, "welcome")
  })
)
