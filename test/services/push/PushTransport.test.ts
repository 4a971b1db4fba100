import { createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { NameResolution, PushTransport, type ResolveName } from "../../../src/services/push/PushTransport.ts"
import { passTime } from "../../support/passTime.ts"
import { httpStandIn } from "../../support/voice/httpStandIn.ts"

const transport = (resolve?: ResolveName) =>
  PushTransport.layer.pipe(Layer.provide(resolve === undefined ? Layer.empty : Layer.succeed(NameResolution, resolve)))

const post = (url: string, isTrusted = true) =>
  Effect.flatMap(PushTransport, (service) =>
    service.post({ url, isTrusted, headers: { ttl: "1" }, body: Buffer.from("body") })
  )

const silenceOf = (url: string, resolve: ResolveName) =>
  Effect.map(Effect.flip(post(url, false)), ({ silence }) => silence).pipe(
    Effect.provide(transport(resolve), { local: true })
  )

describe("messages on their way", () => {
  it.effect("are posted, and answered with a status", () =>
    Effect.gen(function* () {
      const service = yield* httpStandIn((_, response) => response.writeHead(429, { "retry-after": "7" }).end("x"))
      const answer = yield* post(`${service.url}/a`)
      assert.deepStrictEqual(answer, { status: 429, retryAfter: "7" })
      const [seen] = service.seen
      assert.deepInclude(seen, { method: "POST", url: "/a" })
      assert.strictEqual(seen?.body.toString(), "body")
      assert.strictEqual(seen?.headers.ttl, "1")
    }).pipe(Effect.provide(transport()))
  )

  it.effect("don't follow a redirect", () =>
    Effect.gen(function* () {
      const inside = yield* httpStandIn((_, response) => response.end())
      const service = yield* httpStandIn((_, response) => response.writeHead(307, { location: inside.url }).end())
      assert.strictEqual((yield* post(service.url)).status, 307)
      assert.deepStrictEqual(inside.seen, [])
    }).pipe(Effect.provide(transport()))
  )

  it.effect("never go to a name that leads to a private address", () =>
    Effect.gen(function* () {
      const to =
        (...addresses: ReadonlyArray<string>): ResolveName =>
        (_, callback) =>
          callback(
            null,
            addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
          )
      const url = "https://fcm.googleapis.com/a"
      for (const address of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00::1", "::ffff:127.0.0.1"])
        assert.strictEqual(yield* silenceOf(url, to(address)), "private", address)
      assert.strictEqual(yield* silenceOf(url, to("8.8.8.8", "127.0.0.1")), "private")
      assert.strictEqual(yield* silenceOf(url, to()), "private")
      assert.strictEqual(yield* silenceOf(url, (_, callback) => callback(new Error("no such name"), [])), "unreachable")
    })
  )

  it.effect("end after 10 seconds without an answer", () =>
    Effect.gen(function* () {
      const service = yield* httpStandIn(() => {})
      const sending = yield* Effect.forkChild(Effect.flip(post(service.url)))
      assert.strictEqual((yield* passTime(sending)).silence, "timeout")
    }).pipe(Effect.provide(transport()))
  )

  it.effect("end when the connection is closed, or nobody listens", () =>
    Effect.gen(function* () {
      const closing = createServer((socket) => socket.destroy())
      yield* Effect.callback<void>((resume) => {
        closing.listen(0, "127.0.0.1", () => resume(Effect.void))
      })
      const address = closing.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const url = `http://127.0.0.1:${port}/`
      assert.strictEqual((yield* Effect.flip(post(url))).silence, "unreachable")
      yield* Effect.callback<void>((resume) => {
        closing.close(() => resume(Effect.void))
      })
      assert.strictEqual((yield* Effect.flip(post(url))).silence, "unreachable")
    }).pipe(Effect.provide(transport()))
  )

  it.effect("to a service that hangs hold up none to another", () =>
    Effect.gen(function* () {
      const hanging = yield* httpStandIn(() => {})
      const working = yield* httpStandIn((_, response) => response.writeHead(201).end())
      const stuck = yield* Effect.forEach(Array.from({ length: 40 }), () =>
        Effect.forkChild(Effect.flip(post(hanging.url)))
      )
      assert.strictEqual((yield* post(working.url)).status, 201)
      yield* Fiber.interruptAll(stuck)
    }).pipe(Effect.provide(transport()))
  )

  it.effect("don't read an endless answer", () =>
    Effect.gen(function* () {
      const left = yield* Deferred.make<void>()
      const service = yield* httpStandIn((_, response) => {
        const write = (): void => {
          while (response.write(Buffer.alloc(16_384)));
          response.once("drain", write)
        }
        response.writeHead(200).once("close", () => Deferred.doneUnsafe(left, Effect.void))
        write()
      })
      assert.strictEqual((yield* post(service.url)).status, 200)
      yield* Deferred.await(left)
    }).pipe(Effect.provide(transport()))
  )

  it.effect.each(["a body", "no body"])("keep no connection to a server that never ends its answer with %s", (what) =>
    Effect.gen(function* () {
      const service = yield* httpStandIn((_, response) => {
        response.writeHead(200)
        if (what === "a body") response.write("{")
        else response.flushHeaders()
      })
      // More than are sent to one place at once.
      for (let index = 0; index < 40; index++) {
        const posting = yield* Effect.forkChild(post(service.url))
        assert.strictEqual((yield* passTime(posting)).status, 200)
      }
    }).pipe(Effect.provide(transport()))
  )
})
