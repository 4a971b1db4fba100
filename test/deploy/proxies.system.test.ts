import { get, request } from "node:http"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, References } from "effect"
import { greetedLive, openLive } from "../support/liveSockets.ts"
import { openProxy } from "../support/sockets.ts"
import { type GuardedConsole, guardedConsole, signIn } from "../support/targets/guardedConsole.ts"
import { oddTargets } from "../support/targets/oddTargets.ts"
import { isInstalled, PROXIES, startProxy } from "../support/targets/proxies.ts"
import { Sweep, wayFor } from "../support/targets/sweep.ts"

/** Each route gets one in so many targets, others than the route before. */
const SHARE = 7

/** The largest file that can come with a message, and the largest picture. */
const FILE_BYTES = 100_000_000
const PICTURE_BYTES = 12_000_000

/** A new loopback address for each client: the proxy passes it to the console, which counts requests by it. */
const makeClients = () => {
  let clients = 0
  return () => {
    clients += 1
    return `127.${1 + ((clients >> 16) & 127)}.${(clients >> 8) & 255}.${clients & 255}`
  }
}

/** Sends odd targets through a proxy, from clients that aren't signed in. */
const sweepThrough = Effect.fnUntraced(function* (port: number, { door, paths }: GuardedConsole) {
  const sweep = new Sweep({ port, from: makeClients(), continues: true }, { ...door, isBehindProxy: true })
  // To the console, clients on loopback are local ones here, who may read the metrics.
  const routes = paths.filter((path) => path !== "/metrics")
  let targets = 0
  for (const [route, path] of routes.entries()) {
    const forms = [...oddTargets(path, door.host).entries()].filter(([index]) => (index + route) % SHARE === 0)
    targets += forms.length
    const requests = forms.map(([index, { target }]) => sweep.request(target, wayFor(Math.floor(index / SHARE), route)))
    yield* Effect.promise(() => sweep.send(requests))
  }
  return { sweep, summary: `${targets} targets over ${routes.length} routes; ${sweep.statuses}` }
})

/** What an event stream brings until it has this text. */
const streamUntil = (port: number, cookie: string, text: string, onConnected: () => void) =>
  Effect.callback<string>((resume) => {
    let received = ""
    const reading = get({ port, host: "127.0.0.1", path: "/api/events", headers: { cookie } }, (response) => {
      response.on("data", (chunk: Buffer) => {
        if (received === "") onConnected()
        received += chunk
        if (received.includes(text)) resume(Effect.succeed(received))
      })
    })
    reading.on("error", () => {})
    return Effect.sync(() => reading.destroy())
  })

/** Lets the console send an event to all its streams. */
const sendEvent = (port: number, cookie: string) => {
  const options = { port, host: "127.0.0.1", path: "/api/events/test", method: "POST", headers: { cookie } }
  request(options, (response) => response.resume()).end(JSON.stringify({ event: "through", data: { the: "proxy" } }))
}

/** What a browser does: signing in, a route, the page's connection and the chat's to the gateway, the event stream. */
const ordinaryUse = Effect.fnUntraced(function* (port: number) {
  const base = `http://127.0.0.1:${port}`
  const status = (path: string, headers: Record<string, string> = {}) =>
    Effect.promise(async () => {
      const answer = await fetch(`${base}${path}`, { headers })
      await answer.text()
      return answer.status
    })
  assert.strictEqual(yield* status("/api/server-info"), 401)
  const cookie = yield* signIn(base)
  assert.strictEqual(yield* status("/api/server-info", { cookie }), 200)

  assert.strictEqual((yield* Effect.flip(openProxy(port))).status, 401)
  const chat = yield* openProxy(port, { headers: { cookie } })
  assert.strictEqual((yield* chat.nextJson).event, "connect.challenge")
  assert.strictEqual(yield* Effect.flip(openLive(port)), 401)
  const live = yield* greetedLive(port, { headers: { cookie } })
  assert.strictEqual(live.welcome.t, "welcome")

  // A proxy's header for this host name instead of the console's.
  const page = yield* Effect.promise(() => fetch(base, { headers: { accept: "text/html" } }))
  assert.strictEqual(page.headers.get("strict-transport-security"), "max-age=31536000")
  yield* Effect.promise(() => page.text())
  const uploaded = yield* Effect.promise(() =>
    fetch(`${base}/api/uploads?name=large.bin`, {
      method: "POST",
      headers: { cookie, "content-type": "application/octet-stream" },
      body: new Uint8Array(FILE_BYTES)
    })
  )
  assert.strictEqual(uploaded.status, 201, yield* Effect.promise(() => uploaded.text()))
  const message = yield* Effect.promise(() =>
    fetch(`${base}/api/outbox`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify({
        id: crypto.randomUUID(),
        sessionKey: "agent:main:main",
        text: "With a picture",
        mode: "next",
        attachments: [{ name: "a.png", type: "image/png", data: Buffer.alloc(PICTURE_BYTES).toString("base64") }]
      })
    })
  )
  assert.strictEqual(message.status, 201, yield* Effect.promise(() => message.text()))

  const stream = yield* streamUntil(port, cookie, '"the":"proxy"', () => sendEvent(port, cookie))
  assert.include(stream, "connected")
})

for (const proxy of PROXIES) {
  describe.skipIf(!isInstalled(proxy))(`${proxy.name} with the sample (needs ${proxy.program})`, () => {
    it.live(
      "lets nobody who isn't signed in past the door, by whatever target, and a browser use everything",
      () =>
        Effect.gen(function* () {
          const guarded = yield* guardedConsole
          const port = yield* startProxy(proxy, guarded.port)
          const before = yield* guarded.disk
          const { sweep, summary } = yield* sweepThrough(port, guarded)
          console.info(`${proxy.name}: ${summary}`)
          assert.strictEqual(sweep.complaints, "")
          assert.deepStrictEqual(yield* guarded.gatewayRequests, [])
          assert.deepStrictEqual(yield* guarded.disk, before)
          yield* ordinaryUse(port)
        }).pipe(
          Effect.scoped,
          Effect.provide(NodeServices.layer),
          Effect.provideService(References.MinimumLogLevel, "None")
        ),
      180_000
    )
  })
}
