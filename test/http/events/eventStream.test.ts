import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { makeApp } from "../../support/makeApp.ts"

const decoder = new TextDecoder()

const openStream = Effect.fnUntraced(function* (app: Effect.Success<ReturnType<typeof makeApp>>) {
  const response = yield* app.request("/api/events", { headers: { "accept-encoding": "br, gzip" } })
  const reader = response.body?.getReader()
  assert.isDefined(reader)
  const read = Effect.map(
    Effect.promise(() => reader.read()),
    ({ value }) => decoder.decode(value)
  )
  const close = Effect.promise(() => reader.cancel())
  return { response, read, close }
})

it.effect("the stream has the headers of SPEC and is never compressed", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const { response, close } = yield* openStream(app)
    assert.strictEqual(response.status, 200)
    assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
    assert.strictEqual(response.headers.get("cache-control"), "no-cache")
    assert.strictEqual(response.headers.get("x-accel-buffering"), "no")
    assert.strictEqual(response.headers.get("connection"), "keep-alive")
    assert.isNull(response.headers.get("content-encoding"))
    assert.strictEqual(response.headers.get("x-frame-options"), "DENY")
    yield* close
  })
)

it.effect("connected comes first, then every event with its event and data lines", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    yield* TestClock.adjust("7 seconds")
    const { read, close } = yield* openStream(app)
    yield* app.events.publish("memory.changed", { source: "api", text: "a\nb" })
    const message = yield* read
    assert.strictEqual(
      message.includes("\n\nevent:") ? message : `${message}${yield* read}`,
      'event: connected\ndata: {"event":"connected","data":{"ts":7000},"ts":7000}\n\n' +
        'event: memory.changed\ndata: {"event":"memory.changed","data":{"source":"api","text":"a\\nb"},"ts":7000}\n\n'
    )
    yield* close
  })
)

it.effect("a ping comes every 30 seconds", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const { read, close } = yield* openStream(app)
    assert.include(yield* read, "event: connected")
    for (const ts of [30_000, 60_000]) {
      const next = yield* Effect.forkChild(read)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(
        yield* Fiber.join(next),
        `event: ping\ndata: {"event":"ping","data":{"ts":${ts}},"ts":${ts}}\n\n`
      )
    }
    yield* close
  })
)

it.effect("a client that leaves is forgotten", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const { read, close } = yield* openStream(app)
    yield* read
    assert.strictEqual(yield* app.streams.size, 1)
    yield* close
    yield* Effect.yieldNow.pipe(Effect.repeat({ until: () => Effect.map(app.streams.size, (size) => size === 0) }))
  })
)

it.effect("a reader that stops reading is cut off at 1 MB and holds nobody else up", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const started = yield* Effect.scoped(
      Effect.gen(function* () {
        const slow = yield* app.streams.open
        const stuck = yield* Effect.forkChild(Stream.runForEach(slow, () => Effect.never))
        const quick = yield* app.streams.open
        const received = yield* Effect.forkChild(Stream.runCollect(Stream.take(quick, 31)))
        const data = { text: "x".repeat(100_000) }
        for (let index = 0; index < 30; index++) {
          yield* app.events.publish("big", data)
          yield* Effect.yieldNow
        }
        const messages = yield* Fiber.join(received)
        assert.strictEqual(messages.length, 31)
        const end = yield* Fiber.await(stuck)
        assert.strictEqual(end._tag, "Failure")
        return yield* app.streams.size
      })
    )
    assert.strictEqual(started, 1)
  })
)

it.effect("the test route sends an event in development, and is unknown elsewhere", () =>
  Effect.gen(function* () {
    const body = '{"event":"file.changed","data":{"path":"a"}}'
    const production = yield* makeApp()
    assert.strictEqual((yield* production.request("/api/events/test", { method: "POST", body })).status, 404)
    const app = yield* makeApp({ settings: { development: true } })
    const { read, close } = yield* openStream(app)
    yield* read
    const response = yield* app.request("/api/events/test", { method: "POST", body })
    assert.deepStrictEqual(yield* app.json(response), { ok: true, event: "file.changed", data: { path: "a" } })
    assert.include(yield* read, '"data":{"path":"a"}')
    yield* close
    for (const invalid of [
      "",
      "{",
      "null",
      "[]",
      "{}",
      '{"event":"","data":{}}',
      '{"event":"x","data":[]}',
      '{"event":"x"}'
    ]) {
      const refused = yield* app.request("/api/events/test", { method: "POST", body: invalid })
      assert.strictEqual(refused.status, 400, invalid)
      assert.strictEqual(Reflect.get(Object(yield* app.json(refused)), "error"), "validation_error")
    }
  })
)

it.effect("a line break in an event's name cannot forge another message", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const { read, close } = yield* openStream(app)
    yield* read
    yield* app.events.publish("a\n\nevent: forged", {})
    assert.match(yield* read, /^event: a {2}event: forged\ndata: /)
    yield* close
  })
)
