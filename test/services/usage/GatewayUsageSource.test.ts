import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Queue, Result, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { GatewayClient, type GatewayConnection } from "../../../src/services/gateway/client/GatewayClient.ts"
import { openDatabase } from "../../../src/services/platform/sqlite/openDatabase.ts"
import { makeGatewayUsageSource } from "../../../src/services/usage/GatewayUsageSource.ts"
import { usageMigrations } from "../../../src/services/usage/store/usageMigrations.ts"
import { makeUsageThread } from "../../../src/services/usage/UsageThread.ts"
import { type AnsweredCall, failures, makeAnsweringGateway } from "../../support/answeringGateway.ts"
import { temporaryFolder } from "../../support/fileServices.ts"

const TODAY = "2026-11-22"
const NOW = Date.parse(`${TODAY}T10:00:00.000Z`)
const EVERYTHING = { from: "2026-01-01", to: "2026-12-31", group: ["agent"] } as const

const connection: GatewayConnection = {
  protocol: 4,
  version: "2026.9.6",
  scopes: ["operator.admin"],
  methods: new Set()
}

interface Turn {
  readonly agent: string
  readonly session?: string
  readonly day?: string
  readonly input: number
  readonly output: number
}

const costOf = ({ input, output }: Turn) => (input + 2 * output) / 1_000_000

/** What `sessions.usage` answers when these turns were taken; `kept` is how long ago they were counted. */
const usageOf = (turns: ReadonlyArray<Turn>, params: { readonly [name: string]: unknown }, now: number) => {
  const isMeant = ({ agent, day = TODAY }: Turn) =>
    (params.agentId === undefined || params.agentId === agent) &&
    day >= String(params.startDate) &&
    day <= String(params.endDate)
  const found = turns.filter(isMeant)
  const days = [...Map.groupBy(found, ({ day = TODAY }) => day)]
  return {
    updatedAt: now,
    cacheStatus: { status: "fresh" },
    aggregates: {
      daily: days.map(([date, of]) => ({
        date,
        tokens: of.reduce((sum, { input, output }) => sum + input + output, 0),
        cost: of.reduce((sum, turn) => sum + costOf(turn), 0),
        messages: of.length,
        errors: 0
      }))
    },
    sessions: found.map((turn) => ({
      key: `agent:${turn.agent}:main`,
      sessionId: turn.session ?? `${turn.agent}-1`,
      agentId: turn.agent,
      usage: {
        modelUsage: [
          {
            provider: "mock",
            model: "mock-fast",
            count: 1,
            totals: { input: turn.input, output: turn.output, cacheRead: 0, cacheWrite: 0, totalCost: costOf(turn) }
          }
        ],
        messageCounts: { errors: 0 }
      }
    }))
  }
}

const TURNS: ReadonlyArray<Turn> = [
  { agent: "main", input: 1000, output: 100 },
  { agent: "helper", input: 7000, output: 700 }
]

/** A store, and a source over a gateway that answers `sessions.usage` as the test says. */
const start = Effect.fnUntraced(function* (
  answer: (
    params: AnsweredCall["params"] & { readonly [name: string]: unknown }
  ) => Effect.Effect<unknown, typeof failures.invalid>,
  folder?: string
) {
  const ask = yield* makeUsageThread(`${folder ?? (yield* temporaryFolder)}/usage.db`)
  const gateway = yield* makeAnsweringGateway(({ method, params }) => {
    if (method === "agents.list") return Effect.succeed({ agents: [{ id: "main" }, { id: "helper" }] })
    return answer({ ...params })
  }, connection)
  const { refresh } = makeGatewayUsageSource(yield* Effect.provide(GatewayClient, gateway.layer), ask, true)
  const byAgent = Effect.map(ask("history", EVERYTHING), (rows) =>
    rows.map(({ agent, inputTokens, outputTokens, cost }) => [agent, inputTokens, outputTokens, cost])
  )
  return { ask, refresh, byAgent, calls: gateway.calls }
})

const scoped = <A, E>(test: Effect.Effect<A, E, NodeServices.NodeServices | Scope.Scope>) =>
  TestClock.setTime(NOW).pipe(Effect.andThen(test), Effect.provide(NodeServices.layer))

describe("the usage a gateway reports", () => {
  const expected = [
    ["helper", 7000, 700, 0.0084],
    ["main", 1000, 100, 0.0012]
  ]

  it.effect("is that of every agent, asked for at once", () =>
    scoped(
      Effect.gen(function* () {
        const { refresh, byAgent, calls } = yield* start((params) =>
          Effect.succeed(usageOf(params.agentScope === "all" ? TURNS : TURNS.slice(0, 1), params, NOW))
        )
        assert.isTrue(yield* refresh)
        assert.deepStrictEqual(yield* byAgent, expected)
        const asked = calls.length
        assert.isTrue(yield* refresh)
        assert.strictEqual(calls.length - asked, 1)
      })
    )
  )

  it.effect("is asked for agent by agent where the gateway does not know that", () =>
    scoped(
      Effect.gen(function* () {
        const { refresh, byAgent } = yield* start((params) => {
          if ("agentScope" in params) return Effect.fail(failures.invalid)
          return Effect.succeed(usageOf(TURNS, { agentId: "main", ...params }, NOW))
        })
        assert.isTrue(yield* refresh)
        assert.deepStrictEqual(yield* byAgent, expected)
      })
    )
  )

  it.effect("is requested without agents where the gateway has none, and returned for all", () =>
    scoped(
      Effect.gen(function* () {
        const { refresh, byAgent } = yield* start((params) =>
          "agentScope" in params || "agentId" in params
            ? Effect.fail(failures.invalid)
            : Effect.succeed(usageOf(TURNS, params, NOW))
        )
        assert.isTrue(yield* refresh)
        assert.deepStrictEqual(yield* byAgent, expected)
      })
    )
  )

  it.effect("is asked for again while the gateway answers what it had counted before", () =>
    scoped(
      Effect.gen(function* () {
        const asked = yield* Queue.unbounded<string>()
        let isCounted = false
        const { refresh, byAgent } = yield* start((params) =>
          Effect.gen(function* () {
            const isDay = params.startDate === TODAY
            yield* Queue.offer(asked, isDay ? "day" : "overview")
            const now = yield* Clock.currentTimeMillis
            return isCounted ? usageOf(TURNS, params, now) : usageOf(TURNS.slice(0, 1), params, now - 60_000)
          })
        )
        const scan = yield* Effect.forkChild(refresh, { startImmediately: true })
        assert.strictEqual(yield* Queue.take(asked), "overview")
        isCounted = true
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* Queue.take(asked), "overview")
        assert.isTrue(yield* Fiber.join(scan))
        assert.deepStrictEqual(yield* byAgent, expected)
      })
    )
  )

  it.effect("is asked for again while a day has less than the overview reported", () =>
    scoped(
      Effect.gen(function* () {
        const asked = yield* Queue.unbounded<string>()
        let isCounted = false
        const { refresh, byAgent } = yield* start((params) =>
          Effect.gen(function* () {
            const isDay = params.startDate === TODAY
            if (isDay) yield* Queue.offer(asked, "day")
            return usageOf(isDay && !isCounted ? TURNS.slice(0, 1) : TURNS, params, NOW)
          })
        )
        const scan = yield* Effect.forkChild(refresh, { startImmediately: true })
        yield* Queue.take(asked)
        isCounted = true
        yield* TestClock.adjust("1 second")
        yield* Queue.take(asked)
        assert.isTrue(yield* Fiber.join(scan))
        assert.deepStrictEqual(yield* byAgent, expected)
      })
    )
  )

  it.effect("never goes down, and is looked at again only when the gateway counts differently", () =>
    scoped(
      Effect.gen(function* () {
        let turns = TURNS
        const { ask, refresh, byAgent, calls } = yield* start((params) => Effect.succeed(usageOf(turns, params, NOW)))
        yield* refresh
        turns = TURNS.slice(0, 1)
        yield* refresh
        assert.deepStrictEqual(yield* byAgent, expected)
        const asked = calls.length
        yield* refresh
        assert.strictEqual(calls.length - asked, 1)
        turns = [...turns, { agent: "helper", session: "helper-2", input: 30, output: 3 }]
        yield* refresh
        assert.deepStrictEqual((yield* ask("totals")).persistent, {
          totalInput: 8030,
          totalOutput: 803,
          totalCost: 0.009636,
          lastUpdated: ""
        })
      })
    )
  )

  it.effect("of days that were stored with one agent only, and with the gateway's notes, is made up for", () =>
    scoped(
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const path = `${folder}/usage.db`
        const before = Result.getOrThrow(
          openDatabase({ path, what: "usage", migrations: usageMigrations, onDamage: "fail" as const }, "now")
        )
        before.transaction((db) => {
          const save = (session: string, provider: string, messages: number, input: number, output: number) =>
            db.run(
              "INSERT INTO gateway_usage VALUES (?, 'main', ?, ?, 'mock-fast', ?, 0, ?, ?, 0, 0, ?)",
              TODAY,
              session,
              provider,
              messages,
              input,
              output,
              input * 1000 + output * 2000
            )
          save("main-1", "mock", 1, 1000, 100)
          save("main-1", "openclaw", 5, 0, 0)
          save("deleted", "mock", 2, 40, 4)
          db.run("INSERT INTO carried VALUES (1, 500, 50, 0, 'then')")
          return Result.void
        })
        before.close()

        const { ask, refresh, byAgent } = yield* start((params) => Effect.succeed(usageOf(TURNS, params, NOW)), folder)
        const { persistent: old } = yield* ask("totals")
        assert.deepInclude(old, { totalInput: 1540, totalOutput: 154 })
        yield* refresh
        const found = yield* ask("totals")
        assert.deepInclude(found.persistent, { totalInput: 8540, totalOutput: 854 })
        assert.deepStrictEqual(
          found.entries.map(({ source, messageCount }) => [source, messageCount]),
          [["mock", 4]]
        )
        assert.deepStrictEqual(yield* byAgent, [
          ["helper", 7000, 700, 0.0084],
          ["main", 1040, 104, 0.001248]
        ])
        yield* refresh
        assert.deepStrictEqual(yield* ask("totals"), found)
      })
    )
  )
})
