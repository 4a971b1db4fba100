import { createServer, get, type IncomingMessage } from "node:http"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { EventHub } from "../../../../src/http/platform/events/EventHub.ts"
import { ConsoleResponse } from "../../../../src/node/ConsoleResponse.ts"
import { EventBus } from "../../../../src/services/platform/events/EventBus.ts"

/** A server that opens every request as a stream of the hub. */
const serveHub = Effect.gen(function* () {
  const hub = yield* EventHub
  const open = Effect.runSyncWith(yield* Effect.context<never>())
  return yield* Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      const server = createServer({ ServerResponse: ConsoleResponse }, (_, response) => {
        open(hub.open(response))
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.end()
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
      closers.add(() => {
        server.closeAllConnections()
        server.close()
      })
    }),
    () =>
      Effect.sync(() => {
        for (const close of closers) close()
        closers.clear()
      })
  )
})
const closers = new Set<() => void>()

const openStream = (port: number) =>
  Effect.callback<IncomingMessage>((resume) => {
    get({ port, host: "127.0.0.1", agent: false }, (response) => {
      response.setEncoding("utf8")
      response.on("error", () => {})
      resume(Effect.succeed(response))
    })
  })

/** The text of a stream as soon as it satisfies `isWhole`. */
const textUntil = (stream: IncomingMessage, isWhole: (text: string) => boolean) =>
  Effect.callback<string>((resume) => {
    let text = ""
    const listener = (chunk: string) => {
      text += chunk
      if (!isWhole(text)) return
      stream.off("data", listener)
      resume(Effect.succeed(text))
    }
    stream.on("data", listener)
  })

const messages = (count: number) => (text: string) => text.split("\n\n").length > count

/** Lets the sockets, which follow no test clock, go on until something is so. */
const until = (done: Effect.Effect<boolean>) =>
  Effect.repeat(
    Effect.andThen(
      Effect.promise(() => new Promise(setImmediate)),
      done
    ),
    { until: (value) => value }
  )

const Hub = EventHub.layer.pipe(Layer.provideMerge(EventBus.layer))

it.effect("connected comes first, then every event with its event and data lines, each stream the same", () =>
  Effect.gen(function* () {
    const bus = yield* EventBus
    const port = yield* serveHub
    yield* TestClock.adjust("7 seconds")
    const streams = [yield* openStream(port), yield* openStream(port)]
    yield* bus.publish({ event: "file.changed", data: { path: "a\nb", mtime: 1 } })
    for (const stream of streams) {
      assert.strictEqual(
        yield* textUntil(stream, messages(2)),
        'event: connected\ndata: {"event":"connected","data":{"ts":7000},"ts":7000}\n\n' +
          'event: file.changed\ndata: {"event":"file.changed","data":{"path":"a\\nb","mtime":1},"ts":7000}\n\n'
      )
    }
  }).pipe(Effect.provide(Hub))
)

it.effect("a name with line breaks forges no event", () =>
  Effect.gen(function* () {
    const hub = yield* EventHub
    const stream = yield* openStream(yield* serveHub)
    yield* textUntil(stream, messages(1))
    yield* hub.send({ event: "a\n\nevent: forged", data: {}, ts: 7 })
    assert.strictEqual(
      yield* textUntil(stream, messages(1)),
      'event: a  event: forged\ndata: {"event":"a\\n\\nevent: forged","data":{},"ts":7}\n\n'
    )
  }).pipe(Effect.provide(Hub))
)

it.effect("an event that can't be written is left out with a line in the log, and the streams go on", () => {
  const lines: Array<unknown> = []
  const log = Logger.make(({ message }) => void lines.push(message))
  return Effect.gen(function* () {
    const bus = yield* EventBus
    const stream = yield* openStream(yield* serveHub)
    yield* textUntil(stream, messages(1))
    yield* bus.publish({ event: "agentlog.added", data: { entry: { ts: 1, data: { big: 1n } } } })
    yield* bus.publish({ event: "file.changed", data: { path: "a", mtime: 1 } })
    assert.match(yield* textUntil(stream, messages(1)), /^event: file\.changed\n/)
    yield* bus.publish({ event: "file.changed", data: { path: "b", mtime: 1 } })
    assert.match(yield* textUntil(stream, messages(1)), /^event: file\.changed\n/)
    assert.include(JSON.stringify(lines), "the event agentlog.added can't be written and was left out")
  }).pipe(Effect.provide(Hub.pipe(Layer.provideMerge(Logger.layer([log])))))
})

it.effect("a stream that opens later gets the gateway's current state, once", () =>
  Effect.gen(function* () {
    const bus = yield* EventBus
    const port = yield* serveHub
    const early = yield* openStream(port)
    yield* textUntil(early, messages(1))
    yield* bus.publish({
      event: "status.changed",
      data: { gateway: "unreachable", since: 1, reason: "No gateway is listening." }
    })
    yield* bus.publish({ event: "file.changed", data: { path: "a", mtime: 1 } })
    yield* bus.publish({ event: "status.changed", data: { gateway: "ok", since: 2 } })
    yield* textUntil(early, messages(3))
    const late = yield* openStream(port)
    yield* bus.publish({ event: "file.changed", data: { path: "b", mtime: 1 } })
    const text = yield* textUntil(late, messages(3))
    assert.deepStrictEqual(text.match(/(?<=^event: ).*$/gm), ["connected", "status.changed", "file.changed"])
    assert.include(text, '"data":{"gateway":"ok","since":2}')
  }).pipe(Effect.provide(Hub))
)

it.effect("a ping comes every 30 seconds", () =>
  Effect.gen(function* () {
    const port = yield* serveHub
    const stream = yield* openStream(port)
    assert.match(yield* textUntil(stream, messages(1)), /^event: connected\n/)
    for (let round = 0; round < 2; round++) {
      const next = yield* Effect.forkChild(textUntil(stream, messages(1)))
      yield* TestClock.adjust("30 seconds")
      assert.match(yield* Fiber.join(next), /^event: ping\ndata: \{"event":"ping","data":\{"ts":\d+\},"ts":\d+\}\n\n$/)
    }
  }).pipe(Effect.provide(Hub))
)

it.effect("a client that leaves is forgotten", () =>
  Effect.gen(function* () {
    const hub = yield* EventHub
    const port = yield* serveHub
    const stream = yield* openStream(port)
    yield* textUntil(stream, messages(1))
    assert.strictEqual(yield* hub.size, 1)
    stream.destroy()
    yield* until(Effect.map(hub.size, (size) => size === 0))
  }).pipe(Effect.provide(Hub))
)

it.effect("a reader that stops reading is cut off and holds nobody else up", () =>
  Effect.gen(function* () {
    const hub = yield* EventHub
    const port = yield* serveHub
    const stuck = yield* openStream(port)
    stuck.pause()
    const quick = yield* openStream(port)
    yield* until(Effect.map(hub.size, (size) => size === 2))
    let received = 0
    quick.on("data", (chunk: string) => {
      received += chunk.length
    })
    const data = { text: "x".repeat(100_000) }
    const sent = 300
    for (let index = 0; index < sent; index++) {
      yield* hub.send({ event: "big", data, ts: index })
      yield* until(Effect.sync(() => received >= 100_000 * (index + 1)))
    }
    yield* until(Effect.map(hub.size, (size) => size === 1))
    assert.isFalse(quick.destroyed)
    assert.isAtLeast(received, 100_000 * sent)
  }).pipe(Effect.provide(Hub))
)

it.effect("a stream gets the gateway's state, also if that was known before the hub existed", () =>
  Effect.gen(function* () {
    const bus = yield* EventBus
    yield* bus.publish({ event: "status.changed", data: { gateway: "unreachable", since: 1, reason: "No token." } })
    yield* Effect.gen(function* () {
      const stream = yield* openStream(yield* serveHub)
      assert.include(yield* textUntil(stream, messages(2)), '"reason":"No token."')
    }).pipe(Effect.provide(EventHub.layer))
  }).pipe(Effect.provide(EventBus.layer))
)
