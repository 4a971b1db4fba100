import { createServer, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted, Schedule } from "effect"
import { type Flood, floodingGateway, floodingPage } from "../../../support/flood.ts"
import { within, workedMs } from "../../../support/ownTime.ts"
import { rawWebSocket } from "../../../support/rawSocket.ts"
import { serveProxy } from "../../../support/serveApp.ts"
import { openProxy, type Peer, wsUpstream } from "../../../support/sockets.ts"

/** What carries nothing, as a gateway sends it. */
const FLOODS: Readonly<Record<string, Flood>> = {
  "empty fragments": { first: "0100", unit: "0000" },
  "fragments of a byte": { first: "010178", unit: "000178" },
  "empty messages": { unit: "8100" },
  pings: { unit: "8900" },
  "the longest pings": { unit: `897d${"78".repeat(125)}` },
  pongs: { unit: "8a00" }
}

/** The same with a masking key of zeros, as a page sends it. */
const masked = ({ first, unit }: Flood): Flood => {
  const mask = (hex: string) => {
    const bytes = Buffer.from(hex, "hex")
    return Buffer.concat([bytes.subarray(0, 1), Buffer.of(bytes.readUInt8(1) | 0x80, 0, 0, 0, 0), bytes.subarray(2)])
  }
  return {
    ...(first === undefined ? {} : { first: mask(first).toString("hex") }),
    unit: mask(unit).toString("hex")
  }
}

/** How long this process has others wait for an answer while something goes on, in milliseconds, the longest last. */
const others = Effect.fnUntraced(function* (port: number, meanwhile: Effect.Effect<unknown>) {
  const waits: Array<number> = []
  const ask = Effect.promise(async () => {
    const start = workedMs()
    const answer = await fetch(`http://127.0.0.1:${port}/ws`)
    await answer.text()
    waits.push(workedMs() - start)
  })
  yield* ask
  const asking = yield* Effect.forkChild(Effect.repeat(ask, Schedule.spaced("5 millis")))
  yield* meanwhile
  yield* ask
  yield* Fiber.interrupt(asking)
  return waits.toSorted((one, other) => one - other)
})

/** Memory outside the heap, where bytes are, and in it, in megabytes. */
const memory = () => {
  const { external, heapUsed } = process.memoryUsage()
  return (external + heapUsed) / 1_048_576
}

/** The connection that floods is over within 2 s, others wait less than 1 s, and nothing of it is kept. */
const assertWithstood = Effect.fnUntraced(function* (port: number, ended: Effect.Effect<void>) {
  const before = memory()
  let most = before
  const sampling = yield* Effect.forkChild(
    Effect.repeat(
      Effect.sync(() => {
        most = Math.max(most, memory())
      }),
      Schedule.spaced("20 millis")
    )
  )
  const waits = yield* others(port, within(2000)(ended))
  yield* Fiber.interrupt(sampling)
  assert.isBelow(waits.at(-1) ?? 0, 1000)
  assert.isBelow(most - before, 64)
})

const trusting = (gatewayPort: number) =>
  serveProxy({ gatewayUrl: `http://127.0.0.1:${gatewayPort}`, gatewayToken: Redacted.make("t") })

const CONNECT = JSON.stringify({
  type: "req",
  id: "c-1",
  method: "connect",
  params: { minProtocol: 3, maxProtocol: 3, client: { id: "gateway-client", mode: "ui" } }
})
const CHALLENGE = { type: "event", event: "connect.challenge", payload: { nonce: "n", ts: 1 } }
const FLOODING = { code: 1014, reason: "The gateway sent more than it may" }
const BROKEN = { code: 1014, reason: "The gateway broke the WebSocket protocol" }
const TOO_MANY = { code: 1008, reason: "Too many pending messages" }

describe("a gateway that floods", () => {
  for (const [name, flood] of Object.entries(FLOODS)) {
    it.live(`before the handshake is over is cut: ${name}`, () =>
      Effect.gen(function* () {
        const gateway = yield* floodingGateway(flood)
        const { port } = yield* trusting(gateway.port)
        const client = yield* openProxy(port)
        yield* client.send(CONNECT)
        yield* assertWithstood(port, gateway.ended)
        assert.deepStrictEqual(yield* client.closed, FLOODING)
      })
    )

    it.live(`afterwards is cut: ${name}`, () =>
      Effect.gen(function* () {
        const gateway = yield* floodingGateway(flood)
        const { port } = yield* serveProxy()
        const client = yield* openProxy(port, { target: `ws://127.0.0.1:${gateway.port}` })
        yield* assertWithstood(port, gateway.ended)
        // Of some floods the test's own client has enough before.
        const { code } = yield* client.closed
        assert.include([FLOODING.code, 1006], code)
      })
    )
  }

  it.live("is cut although nobody reads what it sends", () =>
    Effect.gen(function* () {
      const gateway = yield* floodingGateway({ unit: "8900" })
      const { port } = yield* serveProxy()
      const client = yield* openProxy(port, { target: `ws://127.0.0.1:${gateway.port}` })
      client.ws.pause()
      yield* assertWithstood(port, gateway.ended)
    })
  )
})

describe("a page that floods", () => {
  for (const [name, flood] of Object.entries(FLOODS)) {
    it.live(`a gateway that doesn't answer is cut: ${name}`, () =>
      Effect.gen(function* () {
        const upstream = yield* mute
        const { port } = yield* trusting(upstream.port)
        const page = yield* floodingPage(port, "/ws", masked(flood))
        yield* page.go
        yield* assertWithstood(port, page.ended)
      })
    )

    it.live(`before the handshake is over is cut: ${name}`, () =>
      Effect.gen(function* () {
        const upstream = yield* wsUpstream()
        const { port } = yield* trusting(upstream.port)
        const page = yield* floodingPage(port, "/ws", masked(flood))
        const server = yield* upstream.accept
        yield* page.go
        yield* assertWithstood(port, page.ended)
        yield* server.closed
      })
    )

    it.live(`afterwards is cut: ${name}`, () =>
      Effect.gen(function* () {
        // One that takes as much as a gateway takes, of any kind.
        const upstream = yield* drain
        const { port } = yield* serveProxy()
        const target = encodeURIComponent(`ws://127.0.0.1:${upstream.port}`)
        const page = yield* floodingPage(port, `/ws?target=${target}`, masked(flood))
        yield* page.go
        yield* assertWithstood(port, page.ended)
      })
    )
  }
})

/** Accepts connections and never answers. */
const mute = listening((socket) => socket.resume())

/** A gateway of another process that says nothing and reads everything. */
const drain = floodingGateway({ unit: "00", bytes: 0 })

function listening(onConnection: (socket: Socket) => void) {
  return Effect.gen(function* () {
    const open = new Set<Socket>()
    const server = createServer((socket) => {
      open.add(socket.on("error", () => undefined))
      onConnection(socket)
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.callback<void>((resume) => {
          for (const socket of open) socket.destroy()
          server.close(() => resume(Effect.void))
        })
    )
    const address = server.address()
    return { port: address !== null && typeof address === "object" ? address.port : 0 }
  })
}

const rawOf = ({ ws }: Peer): Socket => Reflect.get(ws, "_socket")

describe("a control frame that's too long or in fragments", () => {
  const frames = {
    "of 126 bytes": "897e007e",
    "of more than there can be": "8a7fffffffffffffffff",
    "in fragments": "0900"
  }
  for (const [name, hex] of Object.entries(frames)) {
    const ofGateway = Buffer.from(hex, "hex")
    const ofPage = Buffer.concat([
      ofGateway.subarray(0, 1),
      Buffer.of(ofGateway.readUInt8(1) | 0x80),
      ofGateway.subarray(2),
      Buffer.alloc(4)
    ])

    it.live(`${name}: from a page, ends the session even before the gateway answers`, () =>
      Effect.gen(function* () {
        const upstream = yield* mute
        for (const settings of [
          { gatewayUrl: `http://127.0.0.1:${upstream.port}`, gatewayToken: Redacted.make("t") },
          { gatewayUrl: `http://127.0.0.1:${upstream.port}` }
        ]) {
          const { port } = yield* serveProxy(settings)
          const page = yield* rawWebSocket(port)
          page.socket.write(ofPage)
          yield* within(2000)(page.gone)
          assert.strictEqual(page.received().subarray(0, 4).toString("hex"), "881703ea")
        }
      })
    )

    it.live(`${name}: from either side, ends the session during the handshake`, () =>
      Effect.gen(function* () {
        const upstream = yield* wsUpstream()
        const { port } = yield* trusting(upstream.port)
        const client = yield* openProxy(port)
        rawOf(yield* upstream.accept).write(ofGateway)
        assert.deepStrictEqual(yield* client.closed, BROKEN)
        const page = yield* rawWebSocket(port)
        const server = yield* upstream.accept
        page.socket.write(ofPage)
        yield* server.closed
        yield* within(2000)(page.gone)
      })
    )

    it.live(`${name}: from either side, ends the session afterwards`, () =>
      Effect.gen(function* () {
        const upstream = yield* wsUpstream()
        const { port } = yield* serveProxy()
        const client = yield* openProxy(port, { target: upstream.url })
        const server = yield* upstream.accept
        // Nothing else can be sent between the two halves of a frame.
        rawOf(server).write(Buffer.concat([Buffer.from("8203616263", "hex"), ofGateway]))
        assert.strictEqual(String(yield* client.next), "abc")
        assert.deepStrictEqual(yield* client.closed, BROKEN)
        yield* server.closed
        const page = yield* rawWebSocket(port, `/ws?target=${encodeURIComponent(upstream.url)}`)
        const other = yield* upstream.accept
        page.socket.write(ofPage)
        yield* other.closed
        yield* within(2000)(page.gone)
        assert.strictEqual(page.received().subarray(0, 4).toString("hex"), "881703ea")
      })
    )
  }
})

describe("before the handshake is over", () => {
  const handshake = Effect.gen(function* () {
    const upstream = yield* wsUpstream()
    const { port } = yield* trusting(upstream.port)
    const client = yield* openProxy(port)
    const server = yield* upstream.accept
    yield* server.send(CHALLENGE)
    yield* client.next
    return { client, server }
  })
  const connecting = Effect.gen(function* () {
    const { client, server } = yield* handshake
    yield* client.send(CONNECT)
    yield* server.next
    return { client, server }
  })
  const hello = (length: number) => ({
    type: "res",
    id: "c-1",
    ok: true,
    payload: { type: "hello-ok", more: "x".repeat(length) }
  })

  it.live("an answer to connect may be as long as it has to be", () =>
    Effect.gen(function* () {
      const { client, server } = yield* connecting
      yield* server.send(hello(2_000_000))
      assert.deepStrictEqual(yield* client.nextJson, hello(2_000_000))
      yield* client.send("relayed")
      assert.strictEqual(yield* server.next, "relayed")
    })
  )

  it.live("what isn't that answer may be 128 KB, in one message or in many", () =>
    Effect.gen(function* () {
      const one = yield* connecting
      yield* one.server.send("x".repeat(131_100))
      assert.deepStrictEqual(yield* one.client.closed, FLOODING)
      const many = yield* connecting
      for (let n = 0; n < 14; n++) yield* many.server.send("x".repeat(10_000))
      assert.deepStrictEqual(yield* many.client.closed, FLOODING)
      const fragments = yield* connecting
      for (let n = 0; n < 14; n++) fragments.server.ws.send("x".repeat(10_000), { fin: false })
      assert.deepStrictEqual(yield* fragments.client.closed, FLOODING)
      const early = yield* handshake
      yield* early.server.send(hello(140_000))
      assert.deepStrictEqual(yield* early.client.closed, FLOODING)
    })
  )

  it.live("a page may send 128 KB besides its connect, and 1,000 frames", () =>
    Effect.gen(function* () {
      const enough = yield* connecting
      for (let n = 0; n < 12; n++) yield* enough.client.send("x".repeat(10_000))
      for (let n = 0; n < 900; n++) enough.client.ws.ping()
      yield* enough.server.send(hello(1))
      yield* enough.client.next
      for (let n = 0; n < 12; n++) assert.strictEqual(yield* enough.server.next, "x".repeat(10_000))
      for (const tooMuch of [
        ({ client }: { client: Peer }) => {
          for (let n = 0; n < 14; n++) client.ws.send("x".repeat(10_000))
        },
        ({ client }: { client: Peer }) => {
          for (let n = 0; n < 1000; n++) client.ws.ping()
        }
      ]) {
        const more = yield* connecting
        tooMuch(more)
        assert.deepStrictEqual(yield* more.client.closed, TOO_MANY)
        yield* more.server.closed
      }
    })
  )
})

describe("peers that are only busy", () => {
  it.live("may send as many messages as they like, short ones too, and some pings between them", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const { port } = yield* serveProxy()
      const client = yield* openProxy(port, { target: upstream.url })
      const server = yield* upstream.accept
      const count = 20_000
      for (const [from, to] of [
        [client, server],
        [server, client]
      ] as const) {
        for (let n = 0; n < count; n++) {
          from.ws.send(n % 2 === 0 ? `{"type":"event","seq":${n}}` : `${n % 10}`)
          if (n % 200 === 0) from.ws.ping()
        }
        for (let n = 0; n < count; n++) yield* to.next
      }
      // Messages in fragments whose last one is empty.
      for (let n = 0; n < 2000; n++) {
        server.ws.send("something of some length", { fin: false })
        server.ws.send("", { fin: true })
      }
      for (let n = 0; n < 2000; n++) yield* client.next
    })
  )
})
