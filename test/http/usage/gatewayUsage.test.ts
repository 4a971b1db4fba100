import { randomUUID } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, PubSub, Schema } from "effect"
import { TestClock } from "effect/testing"
import type { GatewayConnection } from "../../../src/services/gateway/client/GatewayClient.ts"
import { makeAnsweringGateway } from "../../support/answeringGateway.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { makeGatewayApp } from "../../support/gatewayApp.ts"
import { makeApp } from "../../support/makeApp.ts"

const NOW = Date.parse("2026-11-22T10:00:00.000Z")

const home = Effect.map(temporaryFolder, (folder) => ({
  svcHome: `${folder}/svc`,
  gatewayHome: `${folder}/gateway`,
  usageFile: `${folder}/gateway/token-usage.json`
}))

/** Waits for something while time goes by. */
const meanwhile = <A, E>(awaited: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const waiting = yield* Effect.forkChild(awaited)
    yield* TestClock.adjust("1 second").pipe(
      Effect.andThen(Effect.promise(() => new Promise(setImmediate))),
      Effect.repeat({ until: () => waiting.pollUnsafe() !== undefined })
    )
    return yield* Fiber.join(waiting)
  })

const field = (name: string) => (body: unknown) => Object(body)[name]

const Told = Schema.Struct({
  totals: Schema.Struct({ input: Schema.Int, output: Schema.Int, totalCost: Schema.Finite })
})

describe("usage of a gateway without transcripts", () => {
  it.effect("is that of every agent, exactly as the gateway counts it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const app = yield* makeGatewayApp({ generation: "new", seed: false }, { settings: yield* home })
      const events = yield* app.client.events
      const turn = Effect.fnUntraced(function* (agent: string, message: string) {
        const runId = randomUUID()
        const ask = { sessionKey: `agent:${agent}:main`, message, idempotencyKey: runId }
        yield* app.client.request("chat.send", ask, Schema.Unknown)
        const isEnd = Schema.is(Schema.Struct({ runId: Schema.Literal(runId), state: Schema.Literal("final") }))
        yield* PubSub.take(events).pipe(Effect.repeat({ until: ({ payload }) => isEnd(payload) }))
      })
      yield* turn("main", "good morning")
      yield* turn("helper", "and good evening, with some more words")
      yield* app.client.request("chat.inject", { sessionKey: "main", message: "noted" }, Schema.Unknown)

      const window = { startDate: "2024-01-01", endDate: "2026-11-22" }
      const told = (scope: object) => app.client.request("sessions.usage", { ...window, ...scope }, Told)
      const all = (yield* told({ agentScope: "all" })).totals
      assert.isAbove(all.input, (yield* told({})).totals.input)
      const { body } = yield* app.send("GET", "/api/tokens")
      assert.deepInclude(body, { totalInput: all.input, totalOutput: all.output })
      assert.closeTo(body.totalCost, all.totalCost, 1e-9)
      assert.deepStrictEqual(
        body.entries.map(({ source, messageCount }: Record<string, unknown>) => [source, messageCount]),
        [["demo", 2]]
      )
      const history = yield* app.send("GET", "/api/tokens/history?group=agent")
      for (const [index, agentId] of ["helper", "main"].entries()) {
        const { totals } = yield* told({ agentId })
        assert.deepInclude(history.body.rows[index], {
          agent: agentId,
          inputTokens: totals.input,
          outputTokens: totals.output
        })
      }
    })
  )

  it.effect("is not counted again on top of what an earlier count reported, however late the gateway reports it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const settings = yield* home
      mkdirSync(settings.gatewayHome, { recursive: true })
      const earlier = { totalInput: 5000, totalOutput: 500, totalCost: 0.05, lastUpdated: "2026-11-01T00:00:00.000Z" }
      writeFileSync(settings.usageFile, JSON.stringify(earlier))
      const date = "2026-11-20"
      const told = (input: number, output: number, totalCost: number, status: string) => ({
        aggregates: { daily: [{ date, tokens: input + output, cost: totalCost, messages: 1, errors: 0 }] },
        cacheStatus: { status },
        sessions: [
          {
            key: "agent:main:main",
            sessionId: "s",
            agentId: "main",
            usage: {
              modelUsage: [
                {
                  provider: "mock",
                  model: "mock-fast",
                  count: 1,
                  totals: { input, output, cacheRead: 0, cacheWrite: 0, totalCost }
                }
              ],
              messageCounts: { errors: 0 }
            }
          }
        ]
      })
      let answer = told(1000, 100, 0.01, "partial")
      const connection: GatewayConnection = { protocol: 4, version: "2026.9.6", scopes: [], methods: new Set() }
      const gateway = yield* makeAnsweringGateway(() => Effect.sync(() => answer), connection)
      const app = yield* makeApp({ settings, gateway: gateway.layer })
      const events = yield* app.events.subscribe
      const persistent = Effect.map(Effect.flatMap(app.request("/api/tokens"), app.json), field("persistent"))
      yield* meanwhile(PubSub.take(events))
      assert.deepInclude(yield* meanwhile(persistent), { totalInput: 5000, totalOutput: 500, totalCost: 0.05 })
      answer = told(4000, 400, 0.04, "fresh")
      yield* meanwhile(PubSub.take(events))
      assert.deepInclude(yield* meanwhile(persistent), { totalInput: 5000, totalOutput: 500, totalCost: 0.05 })
      answer = told(4100, 410, 0.041, "fresh")
      yield* meanwhile(PubSub.take(events))
      assert.deepInclude(yield* meanwhile(persistent), { totalInput: 5100, totalOutput: 510, totalCost: 0.051 })
    })
  )
})
