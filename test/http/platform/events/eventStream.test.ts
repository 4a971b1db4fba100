import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { listen } from "../../../support/listen.ts"

const decoder = new TextDecoder()

const openStream = Effect.fnUntraced(function* (base: string) {
  const response = yield* Effect.promise(() =>
    fetch(`${base}/api/events`, { headers: { "accept-encoding": "br, gzip" } })
  )
  const reader = response.body?.getReader()
  assert.isDefined(reader)
  const read = Effect.map(
    Effect.promise(() => reader.read()),
    ({ value }) => decoder.decode(value)
  )
  const close = Effect.promise(() => reader.cancel())
  return { response, read, close }
})

const post = (base: string, body: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${base}/api/events/test`, { method: "POST", body })
    const answer: unknown = await response.json()
    return { status: response.status, answer }
  })

it.layer(NodeServices.layer, { excludeTestServices: true })((it) => {
  it.effect("the stream has its headers and is never compressed", () =>
    Effect.gen(function* () {
      const { base } = yield* listen()
      const { response, close } = yield* openStream(base)
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
      assert.strictEqual(response.headers.get("cache-control"), "no-cache")
      assert.strictEqual(response.headers.get("x-accel-buffering"), "no")
      assert.strictEqual(response.headers.get("connection"), "keep-alive")
      assert.isNull(response.headers.get("content-encoding"))
      assert.isNull(response.headers.get("content-length"))
      assert.strictEqual(response.headers.get("x-frame-options"), "DENY")
      yield* close
    })
  )

  it.effect("HEAD returns the headers and opens no stream", () =>
    Effect.gen(function* () {
      const { base, streams } = yield* listen()
      const response = yield* Effect.promise(() => fetch(`${base}/api/events`, { method: "HEAD" }))
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
      assert.strictEqual(yield* streams.size, 0)
    })
  )

  it.effect("the test route sends an event in development, and is unknown elsewhere", () =>
    Effect.gen(function* () {
      const body = '{"event":"file.changed","data":{"path":"a"}}'
      const production = yield* listen()
      assert.strictEqual((yield* post(production.base, body)).status, 404)
      const { base } = yield* listen({ development: true })
      const { read, close } = yield* openStream(base)
      yield* read
      assert.deepStrictEqual(yield* post(base, body), {
        status: 200,
        answer: { ok: true, event: "file.changed", data: { path: "a" } }
      })
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
        const { status, answer } = yield* post(base, invalid)
        assert.strictEqual(status, 400, invalid)
        assert.strictEqual(Reflect.get(Object(answer), "error"), "validation_error")
      }
    })
  )
})
