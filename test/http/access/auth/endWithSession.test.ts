import { createServer, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { endStream, endWithSession } from "../../../../src/http/middleware/ownedBySession.ts"
import { SessionEnds } from "../../../../src/services/access/auth/RevokedSessions.ts"

const SESSION = { digest: "one", expiresAt: 1 }

/** A response that has begun, and the connection of who asked for it. */
const begun = Effect.gen(function* () {
  const made = Promise.withResolvers<ServerResponse>()
  const server = createServer((_, response) => made.resolve(response))
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const reader = yield* Effect.acquireRelease(
    Effect.sync(() => connect(port, "127.0.0.1")),
    (socket) => Effect.sync(() => socket.destroy())
  )
  reader.on("error", () => undefined)
  reader.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
  const response = yield* Effect.promise(() => made.promise)
  const ends = new SessionEnds()
  const auth = { onEnded: ends.add.bind(ends) }
  return { auth, ends, reader, response }
})

const closed = (response: ServerResponse) =>
  Effect.callback<void>((resume) => {
    if (response.closed) return resume(Effect.void)
    response.once("close", () => resume(Effect.void))
  })

/** All the reader gets. */
const heard = (reader: Socket) =>
  Effect.callback<string>((resume) => {
    let text = ""
    reader.on("data", (data: Buffer) => {
      text += data.toString()
      if (text.endsWith("0\r\n\r\n")) resume(Effect.succeed(text))
    })
    reader.on("close", () => resume(Effect.succeed(text)))
  })

it.live("a stream that's complete at any point ends by itself", () =>
  Effect.gen(function* () {
    const { auth, ends, reader, response } = yield* begun
    endWithSession(auth, SESSION, response, () => endStream(response))
    yield* Effect.callback<void>((resume) => {
      response.write("event", () => resume(Effect.void))
    })
    ends.notify(() => true)
    assert.match(yield* heard(reader), /event\r\n0\r\n\r\n$/)
  })
)

it.live("one that nobody reads is cut", () =>
  Effect.gen(function* () {
    const { auth, ends, reader, response } = yield* begun
    endWithSession(auth, SESSION, response, () => endStream(response))
    reader.pause()
    while (response.writableLength === 0) {
      response.write(Buffer.alloc(1_000_000))
      yield* Effect.promise(() => new Promise(setImmediate))
    }
    ends.notify(() => true)
    yield* closed(response)
    reader.resume()
    assert.notMatch(yield* heard(reader), /0\r\n\r\n$/)
  })
)

it.live("what is over is remembered no longer, and what was never begun isn't answered", () =>
  Effect.gen(function* () {
    const { auth, ends, reader, response } = yield* begun
    endWithSession(auth, SESSION, response, () => endStream(response))
    assert.strictEqual(ends.size, 1)
    reader.destroy()
    yield* closed(response)
    assert.strictEqual(ends.size, 0)
    endWithSession(auth, SESSION, response, () => endStream(response))
    assert.strictEqual(ends.size, 0)

    const early = yield* begun
    endWithSession(early.auth, SESSION, early.response, () => endStream(early.response))
    early.ends.notify(() => true)
    assert.strictEqual(yield* heard(early.reader), "")
  })
)
