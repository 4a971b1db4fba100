import { rmSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, PubSub, Schema } from "effect"
import { GatewayClient } from "../../../src/services/gateway/client/GatewayClient.ts"
import type { GatewayEvent } from "../../../src/services/gateway/client/gatewayFrames.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { makeApp, noLinkChanges, noTap } from "../../support/makeApp.ts"
import { answerLine, lines, sessionsFolder, write } from "../../support/transcripts.ts"

const home = Effect.map(temporaryFolder, (folder) => ({
  svcHome: `${folder}/svc`,
  gatewayHome: `${folder}/gateway`,
  usageFile: `${folder}/gateway/token-usage.json`
}))

const row = (input: number, output: number, cost: number, messageCount = 1) => ({
  cost,
  messageCount,
  inputTokens: input,
  outputTokens: output,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  errorCount: 0
})

const day = (date: string) => Date.parse(`${date}T12:00:00.000Z`)

describe("GET /api/tokens/history", () => {
  it.effect("gives a series by day, model, agent and session, deleted transcripts included", () =>
    Effect.gen(function* () {
      const settings = yield* home
      const main = sessionsFolder(settings.gatewayHome)
      write(
        main,
        "a.jsonl",
        lines(
          answerLine({ at: day("2026-11-01"), input: 1, output: 1, cost: 1 }),
          answerLine({ at: day("2026-11-02"), input: 2, output: 1, cost: 2, model: "deep" }),
          answerLine({ at: day("2026-11-02"), input: 4, output: 1, cost: 4 })
        )
      )
      write(
        sessionsFolder(settings.gatewayHome, "writer"),
        "b.jsonl",
        lines(answerLine({ at: day("2026-11-02"), input: 8, output: 1, cost: 8 }))
      )
      const app = yield* makeApp({ settings })
      const ask = (query: string) => Effect.flatMap(app.request(`/api/tokens/history?${query}`), app.json)
      yield* ask("")
      rmSync(`${main}/a.jsonl`)
      const window = { from: "2026-11-01", to: "2026-11-02" }
      assert.deepStrictEqual(yield* ask("from=2026-11-01&to=2026-11-02"), {
        ...window,
        group: ["day"],
        rows: [
          { day: "2026-11-01", ...row(1, 1, 1) },
          { day: "2026-11-02", ...row(14, 3, 14, 3) }
        ]
      })
      assert.deepStrictEqual(yield* ask("from=2026-11-02&to=2026-11-02&group=agent,model"), {
        from: "2026-11-02",
        to: "2026-11-02",
        group: ["agent", "model"],
        rows: [
          { provider: "mock", model: "deep", agent: "main", ...row(2, 1, 2) },
          { provider: "mock", model: "mock-fast", agent: "main", ...row(4, 1, 4) },
          { provider: "mock", model: "mock-fast", agent: "writer", ...row(8, 1, 8) }
        ]
      })
      assert.deepStrictEqual(yield* ask("from=2026-11-01&to=2026-11-02&group=session"), {
        ...window,
        group: ["session"],
        rows: [
          { agent: "main", session: "a", ...row(7, 3, 7, 3) },
          { agent: "writer", session: "b", ...row(8, 1, 8) }
        ]
      })
      assert.deepInclude(yield* ask("to=2026-12-31"), { from: "2026-12-02", rows: [] })
    })
  )

  it.effect("refuses what is no day and no group", () =>
    Effect.gen(function* () {
      const app = yield* makeApp({ settings: yield* home })
      for (const query of ["from=yesterday", "to=2026-13-01", "group=provider", "group=", "group=day,day;drop"]) {
        const response = yield* app.request(`/api/tokens/history?${query}`)
        assert.strictEqual(response.status, 400, query)
        assert.deepInclude(yield* app.json(response), { error: "validation_error" })
      }
    })
  )
})

/** A gateway of the newer generation that reports its own usage and the prices of its models. */
const tellingGateway = (sessions: ReadonlyArray<object>, tokens: number) => {
  const answer = (method: string, params: object): unknown => {
    if (method === "sessions.usage") {
      const daily = [{ date: "2026-11-02", tokens, cost: 1 }]
      return { sessions: "limit" in params && params.limit === 1 ? [] : sessions, aggregates: { daily } }
    }
    if (method === "config.get") {
      const models = [{ id: "mock-fast", cost: { input: 1, output: 2, cacheRead: 0.5, cacheWrite: 0 } }, { id: "free" }]
      return { config: { models: { providers: { mock: { models } } } } }
    }
    return { models: [] }
  }
  return Layer.succeed(
    GatewayClient,
    GatewayClient.of({
      request: (method, params, payload) =>
        Schema.decodeUnknownEffect(payload)(answer(method, params)).pipe(Effect.orDie),
      events: Effect.flatMap(PubSub.unbounded<GatewayEvent>(), PubSub.subscribe),
      status: Effect.succeed({ gateway: "ok", since: 0 } as const),
      problem: Effect.succeed(undefined),
      gatewayStartedAt: Effect.succeed(0),
      connection: Effect.succeed({ protocol: 4, version: "2026.9.6", scopes: [], methods: new Set() }),
      latestConnection: Effect.undefined,
      retryAt: Effect.undefined,
      tap: noTap,
      linkChanges: noLinkChanges
    })
  )
}

const told = (sessionId: string, input: number, output: number, totalCost: number, count: number) => ({
  key: `agent:main:${sessionId}`,
  sessionId,
  agentId: "main",
  usage: {
    modelUsage: [
      { provider: "mock", model: "mock-fast", count, totals: { input, output, cacheRead: 0, cacheWrite: 0, totalCost } }
    ],
    messageCounts: { errors: 0 }
  }
})

describe("usage the gateway reports", () => {
  it.effect("is counted beside the transcripts, nothing twice", () =>
    Effect.gen(function* () {
      const settings = yield* home
      const at = day("2026-11-02")
      write(sessionsFolder(settings.gatewayHome), "a.jsonl", lines(answerLine({ at, input: 10, output: 1, cost: 1 })))
      const sessions = [told("a", 15, 2, 1.5, 2), told("b", 100, 10, 3, 1), { key: "agent:main:c", usage: null }]
      const app = yield* makeApp({ settings, gateway: tellingGateway(sessions, 127) })
      const summary = yield* Effect.flatMap(app.request("/api/tokens"), app.json)
      const totals = { totalInput: 115, totalOutput: 12, totalCost: 4.5 }
      assert.deepInclude(summary, {
        ...totals,
        totalMessages: 3,
        persistent: { ...totals, lastUpdated: "1970-01-01T00:00:00.000Z" }
      })
    })
  )

  it.effect("has the rates for responses without a reported cost", () =>
    Effect.gen(function* () {
      const settings = yield* home
      write(
        sessionsFolder(settings.gatewayHome),
        "a.jsonl",
        lines(
          answerLine({ input: 1_000_000, output: 500_000, cost: null }),
          answerLine({ input: 7, output: 7, cost: null, model: "unknown-model" })
        )
      )
      const app = yield* makeApp({ settings, gateway: tellingGateway([], 0) })
      const summary = yield* Effect.flatMap(app.request("/api/tokens"), app.json)
      assert.deepInclude(summary, { totalCost: 2, totalInput: 1_000_007 })
    })
  )
})
