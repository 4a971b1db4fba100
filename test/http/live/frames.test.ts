import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { listen } from "../../support/listen.ts"
import { greetedLive, HELLO, openLive } from "../../support/liveSockets.ts"

const onPort = listen().pipe(
  Effect.map(({ ports }) => ports.http),
  Effect.provide(NodeServices.layer)
)

/** What a client that sends this is told, and the code it is closed with. */
const endAfter = Effect.fnUntraced(function* (port: number, frames: ReadonlyArray<object | string>) {
  const live = yield* openLive(port)
  for (const frame of frames) yield* live.send(frame)
  const { code, frames: heard } = yield* live.ended
  return { code, bye: heard.at(-1) }
})

const badFrame = (end: object) => assert.deepInclude(end, { code: 4400, bye: { t: "bye", why: { code: "BAD_FRAME" } } })

it.live("hello is answered by welcome with version, build, process, time, rights and limits", () =>
  Effect.gen(function* () {
    const port = yield* onPort
    const { welcome } = yield* greetedLive(port, { path: "/api/live?whatever=1" })
    const { boot, build, now, ...rest } = welcome
    assert.deepStrictEqual(rest, {
      t: "welcome",
      v: 1,
      me: { rights: ["read", "talk", "manage", "own"] },
      limits: { channels: 32 }
    })
    assert.isString(boot)
    assert.isString(build)
    assert.isNumber(now)
    const again = yield* greetedLive(port)
    assert.strictEqual(again.welcome.boot, boot)
  })
)

it.live("what is no frame closes with 4400 and says so before", () =>
  Effect.gen(function* () {
    const port = yield* onPort
    const bad: ReadonlyArray<ReadonlyArray<object | string>> = [
      ["no json"],
      ["[]"],
      ["null"],
      [{ t: "open", c: 1, topic: "gateways" }],
      [{ t: "ping", n: 1 }],
      [{ t: "hello", v: 1, build: "" }],
      [{ t: "hello", v: "1", build: "", tab: "t" }],
      [{ t: "hello", build: "", tab: "t" }],
      [{ ...HELLO, gatewayToken: 1 }],
      [HELLO, HELLO],
      [HELLO, { t: "unknown" }],
      [HELLO, { t: "open", c: 1, topic: "weather" }],
      [HELLO, { t: "open", c: 0, topic: "gateways" }],
      [HELLO, { t: "open", c: 1.5, topic: "gateways" }],
      [HELLO, { t: "open", c: "1", topic: "gateways" }],
      [HELLO, { t: "open", topic: "gateways" }],
      [HELLO, { t: "open", c: 1, topic: "gateways", have: { e: 1, s: 1 } }],
      [HELLO, { t: "set" }],
      [HELLO, { t: "close", c: null }],
      [HELLO, { t: "look" }],
      [HELLO, { t: "look", key: 3 }],
      [HELLO, { t: "ping" }]
    ]
    for (const frames of bad) badFrame(yield* endAfter(port, frames))
    const binary = yield* greetedLive(port)
    binary.ws.send(Buffer.from(JSON.stringify({ t: "ping", n: 1 })))
    assert.strictEqual((yield* binary.ended).code, 4400)
  })
)

it.live("a frame above 64 KB ends the socket; one of 64 KB is read, and unknown fields are ignored", () =>
  Effect.gen(function* () {
    const port = yield* onPort
    const live = yield* greetedLive(port)
    const frame = { t: "ping", n: 7, more: "" }
    yield* live.send({ ...frame, more: "x".repeat(65_536 - JSON.stringify(frame).length) })
    assert.strictEqual((yield* live.nextOf("tick")).n, 7)
    yield* live.send({ ...frame, more: "x".repeat(65_537 - JSON.stringify(frame).length) })
    assert.include([1009, 4400], (yield* live.ended).code)
  })
)

it.live("any other version closes with 4406, whatever else it says", () =>
  Effect.gen(function* () {
    const port = yield* onPort
    for (const hello of [
      { ...HELLO, v: 2 },
      { t: "hello", v: 0 },
      { ...HELLO, v: 1.5 }
    ]) {
      const end = yield* endAfter(port, [hello])
      assert.deepInclude(end, { code: 4406, bye: { t: "bye", why: { code: "OTHER_VERSION" } } })
    }
  })
)

it.live("ping is answered by a tick with its number; set and close of no channel, and look, do nothing", () =>
  Effect.gen(function* () {
    const live = yield* greetedLive(yield* onPort)
    yield* live.send({ t: "set", c: 5 })
    yield* live.send({ t: "close", c: 5 })
    yield* live.send({ t: "look", key: "agent:main:main" })
    yield* live.send({ t: "look", key: null })
    yield* live.send({ t: "ping", n: 12 })
    const { now, ...tick } = yield* live.next
    assert.deepStrictEqual(tick, { t: "tick", n: 12 })
    assert.isNumber(now)
  })
)

it.live("more than 60 frames at once close with 4429", () =>
  Effect.gen(function* () {
    const port = yield* onPort
    const live = yield* greetedLive(port)
    for (let n = 1; n < 60; n += 1) yield* live.send({ t: "ping", n })
    for (let n = 1; n < 60; n += 1) assert.strictEqual((yield* live.next).n, n)
    const flood = yield* greetedLive(port)
    for (let n = 0; n < 100; n += 1) yield* flood.send({ t: "ping", n })
    const { code, frames } = yield* flood.ended
    assert.strictEqual(code, 4429)
    assert.deepStrictEqual(frames.at(-1), { t: "bye", why: { code: "TOO_MANY_FRAMES" } })
  })
)

it.live("the 33rd channel is gone, the others stay; a channel that is opened again counts once", () =>
  Effect.gen(function* () {
    const live = yield* greetedLive(yield* onPort)
    for (let c = 1; c <= 32; c += 1) {
      yield* live.send({ t: "open", c, topic: "gateways" })
      assert.strictEqual((yield* live.nextOf("snapshot")).c, c)
    }
    yield* live.send({ t: "open", c: 33, topic: "events" })
    assert.deepStrictEqual(yield* live.next, { t: "gone", c: 33, why: { code: "TOO_MANY_CHANNELS" } })
    yield* live.send({ t: "open", c: 32, topic: "events" })
    const { state, ...snapshot } = yield* live.nextOf("snapshot")
    assert.deepInclude(snapshot, { c: 32 })
    assert.hasAllKeys(state, ["states"])
    yield* live.send({ t: "close", c: 1 })
    yield* live.send({ t: "open", c: 33, topic: "events" })
    assert.strictEqual((yield* live.next).t, "snapshot")
  })
)

it.live("the 201st socket is upgraded, and closed with 4409 at its hello", () =>
  Effect.gen(function* () {
    const port = yield* onPort
    yield* Effect.forEach(Array.from({ length: 200 }), () => openLive(port), { discard: true })
    const surplus = yield* openLive(port)
    yield* surplus.send(HELLO)
    const { code, frames } = yield* surplus.ended
    assert.strictEqual(code, 4409)
    assert.deepStrictEqual(frames, [{ t: "bye", why: { code: "TOO_MANY_SOCKETS" } }])
  })
)

it.live("a long frame is deflated for a client that can read it", () =>
  Effect.gen(function* () {
    const live = yield* greetedLive(yield* onPort, { deflate: true })
    assert.match(live.ws.extensions, /permessage-deflate/)
    yield* live.send({ t: "open", c: 1, topic: "gateways" })
    assert.strictEqual((yield* live.next).t, "snapshot")
  })
)
