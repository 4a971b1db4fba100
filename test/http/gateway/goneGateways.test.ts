import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { practiceGateway } from "../../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../../practice-gateway/src/EmbeddedGateway.ts"
import { makeJsonApp } from "../../support/gatewayApp.ts"
import { tcpProxy } from "../../support/tcpProxy.ts"

const gateway = Effect.flatMap(Layer.build(practiceGateway({ tokenMs: 0, seed: false })), (context) =>
  Effect.provide(EmbeddedGateway, context)
)

type Gateway = EmbeddedGateway["Service"]

/** Not too often: the console answers so many requests a minute. */
const until = <A, E>(ask: Effect.Effect<A, E>, isIt: (answer: A) => boolean) =>
  Effect.repeat(ask, { schedule: Schedule.spaced("100 millis"), until: isIt })

/** Waits until this many connections are open. */
const untilOpen = ({ control }: Gateway, count: number) => until(control.connectionCount, (open) => open === count)

/** How often somebody has connected so far. */
const upgrades = ({ control }: Gateway) =>
  Effect.map(control.requests, (requests) => requests.filter(({ kind }) => kind === "upgrade").length)

const start = Effect.gen(function* () {
  const app = yield* makeJsonApp()
  const untilState = (id: string, state: string) =>
    until(app.send("GET", "/api/gateways"), ({ body }) =>
      body.gateways.some((one: { readonly id: string; readonly state: string }) => one.id === id && one.state === state)
    )
  const add = Effect.fnUntraced(function* (name: string) {
    const made = yield* gateway
    const token = Redacted.value(made.token)
    yield* app.send("POST", "/api/gateways", { name, url: made.url, token })
    yield* untilState(name, "ok")
    return { ...made, secret: token }
  })
  return { ...app, add, untilState }
})

describe("the console's connection to a gateway", () => {
  it.live("ends when it's removed, and none comes after it restarts", () =>
    Effect.gen(function* () {
      const { add, send } = yield* start
      const gone = yield* add("gone")
      const stays = yield* add("stays")
      yield* untilOpen(gone, 1)
      assert.strictEqual((yield* send("DELETE", "/api/gateways/gone")).status, 200)
      yield* untilOpen(gone, 0)
      const before = yield* upgrades(gone)
      // Both restart at once, so the one that is still known shows when a link would have come back.
      yield* Effect.all([gone.control.restart, stays.control.restart], { concurrency: 2 })
      yield* untilOpen(stays, 1)
      assert.strictEqual(yield* upgrades(gone), before)
      assert.strictEqual(yield* gone.control.connectionCount, 0)
    })
  )

  it.live("ends for its tools, too", () =>
    Effect.gen(function* () {
      const { send, untilState } = yield* start
      const { port, token } = yield* gateway
      const way = yield* tcpProxy(port)
      const url = `http://127.0.0.1:${way.port}`
      yield* send("POST", "/api/gateways", { name: "gone", url, token: Redacted.value(token) })
      yield* untilState("gone", "ok")
      yield* send("POST", "/api/memories?gateway=gone", { text: "Tea at four", section: "Habits" })
      const requests = way
        .received()
        .map(String)
        .filter((text) => !/upgrade: websocket/i.test(text))
      assert.sameMembers(
        requests.map((text) => text.split(" ", 1)[0]),
        ["POST"]
      )
      // Kept for a next request, they would stay open for seconds.
      for (const request of requests) assert.match(request, /^connection: close\r$/im)
      assert.strictEqual((yield* send("DELETE", "/api/gateways/gone")).status, 200)
      yield* until(Effect.sync(way.open), (open) => open === 0)
    })
  )

  it.live("is the only one after its token and its address were changed", () =>
    Effect.gen(function* () {
      const { add, send, untilState } = yield* start
      const first = yield* add("moves")
      for (const token of ["wrong-1", "wrong-2", "wrong-3", first.secret]) {
        assert.strictEqual((yield* send("PATCH", "/api/gateways/moves", { token })).status, 200)
        yield* untilState("moves", token === first.secret ? "ok" : "refused")
      }
      yield* untilOpen(first, 1)
      const second = yield* gateway
      const moved = { url: second.url, token: Redacted.value(second.token) }
      assert.strictEqual((yield* send("PATCH", "/api/gateways/moves", moved)).status, 200)
      yield* untilState("moves", "ok")
      yield* untilOpen(first, 0)
      yield* untilOpen(second, 1)
    })
  )
})
