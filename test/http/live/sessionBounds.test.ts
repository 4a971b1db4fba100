import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import type { EmbeddedGateway } from "../../../practice-gateway/src/EmbeddedGateway.ts"
import { GatewayClient } from "../../../src/services/gateway/client/GatewayClient.ts"
import { listen } from "../../support/listen.ts"
import { connectedGateway, openSessions } from "../../support/liveSessions.ts"
import { greetedLive } from "../../support/liveSockets.ts"

const GATEWAYS = 20
const SESSIONS = 200
const SOCKETS = 50
const SILENT = 10
const CHANGES = 60

const Row = Schema.Struct({ key: Schema.String })
const decodeAnswer = Schema.decodeUnknownSync(
  Schema.Struct({ sessions: Schema.Array(Row), cursor: Schema.optionalKey(Schema.String) })
)
/** The list with titles and last words, which is read once for all; the usage is counted by a list of its own. */
const isShared = Schema.is(
  Schema.Struct({
    method: Schema.Literal("sessions.list"),
    params: Schema.Struct({ includeLastMessage: Schema.Boolean })
  })
)
const Call = Schema.fromJsonString(Schema.Unknown)
const decodeCall = Schema.decodeUnknownSync(Call)

const heapOf = Effect.sync(() => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
})
const round = (value: number, digits = 1) => Number(value.toFixed(digits))

/** A gateway with so many sessions. */
const filled = Effect.fnUntraced(function* (gateway: EmbeddedGateway["Service"], client: GatewayClient["Service"]) {
  yield* Effect.forEach(
    Array.from({ length: SESSIONS - 1 }, (_, number) => number),
    (number) => client.request("sessions.create", { key: `agent:main:s${number}` }, Schema.Unknown),
    { concurrency: 20, discard: true }
  )
  return gateway
})

it.live(
  "20 gateways with 200 sessions each, and 50 sockets of which ten never read",
  () =>
    Effect.gen(function* () {
      const primary = yield* connectedGateway({ generation: "new" })
      const client = Context.get(yield* Layer.build(primary.layer), GatewayClient)
      yield* filled(primary.gateway, client)
      const others: Array<EmbeddedGateway["Service"]> = []
      for (let number = 1; number < GATEWAYS; number += 1) {
        const generation = number % 2 === 0 ? "new" : "old"
        const { gateway, layer } = yield* connectedGateway({ generation })
        others.push(yield* filled(gateway, Context.get(yield* Layer.build(layer), GatewayClient)))
      }
      const settings = { gatewayUrl: primary.gateway.url, gatewayToken: primary.gateway.token, development: true }
      const app = yield* Effect.provide(listen(settings, primary.layer), NodeServices.layer)
      const send = (method: string, path: string, body?: object) =>
        Effect.promise(() =>
          fetch(`${app.base}${path}`, {
            method,
            headers: { "content-type": "application/json" },
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          }).then((answer) => answer.json())
        )
      const before = yield* heapOf
      const frames = yield* Effect.forEach(others, ({ control }) => control.frames)
      for (const [index, { token, url }] of others.entries()) {
        const id = `g${index + 1}`
        yield* send("POST", "/api/gateways", { id, name: id, url, token: Redacted.value(token) })
      }
      const reader = yield* greetedLive(app.ports.http)
      const list = yield* openSessions(reader, 1, { limit: 2_000 })
      const isReady = (state: { readonly state: string }) => state.state === "ready"
      yield* list.until(
        ({ head }) => Object.values(head.gateways).length === GATEWAYS && Object.values(head.gateways).every(isReady)
      )
      yield* list.until(({ items }) => items.length >= 2_000)
      assert.isTrue(list.state().head.more)
      const listCalls = (yield* Effect.forEach(others, ({ control }, index) =>
        Effect.map(control.frames, (all) =>
          all.slice(frames[index]?.length ?? 0).filter(({ text }) => isShared(decodeCall(text)))
        )
      )).map(({ length }) => length)
      assert.deepStrictEqual(new Set(listCalls), new Set([1]), "one list per gateway")
      const kept = (yield* heapOf) - before

      // Every page of all 4,000.
      const seen = new Set<string>()
      const began = performance.now()
      let cursor: string | undefined
      do {
        const query = cursor === undefined ? "" : `&cursor=${cursor}`
        const page = decodeAnswer(yield* send("GET", `/api/sessions?limit=500${query}`))
        for (const { key } of page.sessions) seen.add(key)
        cursor = page.cursor
      } while (cursor !== undefined)
      const paged = performance.now() - began
      assert.strictEqual(seen.size, GATEWAYS * SESSIONS)

      const sockets = yield* Effect.forEach(Array.from({ length: SOCKETS }), () => greetedLive(app.ports.http))
      const readers = sockets.slice(SILENT)
      for (const { ws } of sockets.slice(0, SILENT)) ws.pause()
      let bytes = 0
      for (const { send: open, ws } of sockets) {
        ws.on("message", (data) => {
          bytes += Buffer.byteLength(data.toString())
        })
        yield* open({ t: "open", c: 1, topic: "sessions" })
      }
      const lists = yield* Effect.forEach(readers, (socket) => openSessions(socket, 2, { limit: 300 }))
      const snapshots = bytes
      const cpu = process.cpuUsage()
      const changing = performance.now()
      for (let number = 0; number < CHANGES; number += 1)
        yield* client.request("sessions.patch", { key: "agent:main:s1", label: `Name ${number}` }, Schema.Unknown)
      const last = `Name ${CHANGES - 1}`
      yield* Effect.forEach(lists, (one) => one.until(() => one.row("agent:main:s1")?.name === last), {
        concurrency: "unbounded"
      })
      const took = performance.now() - changing
      const { system, user } = process.cpuUsage(cpu)
      const health = performance.now()
      yield* send("GET", "/api/version")
      const answered = performance.now() - health
      // Whoever begins to read again gets how it stands now.
      for (const { ws } of sockets.slice(0, SILENT)) ws.resume()
      const held = ((yield* heapOf) - before) / 2 ** 20
      console.info(
        `${GATEWAYS} gateways × ${SESSIONS} sessions: ${round(kept / 2 ** 20)} MB of heap with their clients, pages of all in ${round(paged)} ms; ` +
          `${SOCKETS} sockets: snapshots ${round(snapshots / 2 ** 20)} MB, ${CHANGES} changes reach ${readers.length} readers in ${round(took)} ms ` +
          `with ${round((user + system) / 1000)} ms of processor and ${round((bytes - snapshots) / readers.length / 1024)} KB each; ` +
          `a request meanwhile ${round(answered)} ms, heap ${round(held)} MB`
      )
      assert.isBelow(answered, 1_000)
      assert.isBelow(held, 250)
      assert.isBelow(took, 20_000)
    }),
  120_000
)
