import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { WebSocket } from "ws"
import { LiveChannel } from "../../../src/http/live/LiveChannel.ts"
import { LiveSocket } from "../../../src/http/live/LiveSocket.ts"
import { makeRecentStates } from "../../../src/http/live/RecentStates.ts"
import { listen } from "../../support/listen.ts"
import { greetedLive, openLive } from "../../support/liveSockets.ts"
import { wsClient, wsUpstream } from "../../support/sockets.ts"

const onPort = listen().pipe(
  Effect.map(({ ports }) => ports.http),
  Effect.provide(NodeServices.layer)
)

it.effect("a socket without hello is closed with 4408 after 10 seconds; others hear the time every 25", () =>
  Effect.gen(function* () {
    const port = yield* onPort
    const silent = yield* openLive(port)
    const live = yield* greetedLive(port)
    // Its session waits for hello as soon as another one's was answered.
    yield* TestClock.adjust("9 seconds")
    assert.strictEqual(silent.ws.readyState, WebSocket.OPEN)
    yield* TestClock.adjust("1 second")
    const { code, frames } = yield* silent.ended
    assert.strictEqual(code, 4408)
    assert.deepStrictEqual(frames, [{ t: "bye", why: { code: "NO_HELLO" } }])
    yield* TestClock.adjust("15 seconds")
    const { now, ...tick } = yield* live.next
    assert.deepStrictEqual(tick, { t: "tick" })
    assert.isNumber(now)
    yield* TestClock.adjust("25 seconds")
    assert.strictEqual((yield* live.next).t, "tick")
  })
)

it.live("above 256 KB unsent there are no patches, but the state once less than 64 KB is", () =>
  Effect.gen(function* () {
    const upstream = yield* wsUpstream()
    const reader = yield* wsClient(upstream.url)
    const { ws } = yield* upstream.accept
    const channels: Array<LiveChannel> = []
    const recent = makeRecentStates()
    const socket = new LiveSocket(ws, {
      drained: () => {
        for (const channel of channels) channel.catchUp()
      },
      tooSlow: () => assert.fail("it waits for less than 1 MB of events")
    })
    let count = 0
    const read = () => ({ items: [{ id: "a", count }] })
    for (const number of [1, 2]) {
      const channel = new LiveChannel(number, { socket, recent, epoch: "e", onGone: () => undefined })
      channels.push(channel)
      channel.show({ read, close: () => undefined }, undefined)
    }
    const [moved] = channels
    const change = () => {
      count += 1
      moved?.patch([{ op: "set", key: "a", fields: { count } }])
    }
    change()
    assert.deepInclude(yield* reader.nextJson, { t: "snapshot", c: 1, s: 1 })
    assert.deepInclude(yield* reader.nextJson, { t: "snapshot", c: 2, s: 1 })
    assert.deepInclude(yield* reader.nextJson, { t: "patch", c: 1, s: 2 })
    reader.ws.pause()
    const event = JSON.stringify({ t: "event", event: "x", data: "x".repeat(20_000), ts: 0 })
    let events = 0
    while (socket.hasRoom()) {
      socket.sendEvent(event)
      events += 1
      yield* Effect.promise(() => new Promise(setImmediate))
    }
    for (let more = 0; more < 5; more += 1) change()
    reader.ws.resume()
    for (let number = 0; number < events; number += 1) assert.strictEqual((yield* reader.nextJson).t, "event")
    assert.deepStrictEqual(yield* reader.nextJson, { t: "snapshot", c: 1, e: "e", s: 3, state: read() })
    change()
    assert.deepInclude(yield* reader.nextJson, { t: "patch", c: 1, s: 4 })
  })
)
