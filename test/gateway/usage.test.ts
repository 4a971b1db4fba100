import { assert, inject, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { GatewayClient } from "../../src/services/gateway/client/GatewayClient.ts"
import { clientLayer, connected } from "../support/liveClient.ts"
import { startConsole } from "./support/consoleProcess.ts"
import { describeOn } from "./support/describeOn.ts"
import { startGateway } from "./support/realGateway.ts"
import { runTurn } from "./support/runTurn.ts"

const Sums = Schema.Struct({ input: Schema.Int, output: Schema.Int, totalCost: Schema.Finite })
const Told = Schema.Struct({
  totals: Sums,
  aggregates: Schema.Struct({ byAgent: Schema.Array(Schema.Struct({ agentId: Schema.String, totals: Sums })) })
})

const Summary = Schema.Struct({
  totalInput: Schema.Int,
  totalOutput: Schema.Int,
  totalCost: Schema.Finite,
  totalMessages: Schema.Int,
  entries: Schema.Array(Schema.Struct({ source: Schema.String })),
  persistent: Schema.Struct({ totalInput: Schema.Int, totalOutput: Schema.Int, totalCost: Schema.Finite })
})
const History = Schema.Struct({
  rows: Schema.Array(
    Schema.Struct({
      agent: Schema.String,
      inputTokens: Schema.Int,
      outputTokens: Schema.Int,
      cost: Schema.Finite
    })
  )
})

const get = <A>(url: string, schema: Schema.Decoder<A>) =>
  Effect.tryPromise(() => fetch(url).then((answer) => answer.json())).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(schema))
  )

for (const offered of inject("gateways")) {
  const { version } = offered
  // A gateway of its own: others leave usage behind, and what was asked once is answered from memory for a while.
  describeOn(offered)(`the usage of two agents on gateway ${version}`, () => {
    it.live("is what the gateway itself counts, to the token and for each", () =>
      Effect.gen(function* () {
        const gateway = yield* startGateway({ version })
        const told = yield* Effect.gen(function* () {
          const client = yield* GatewayClient
          yield* connected
          const helper = { name: "helper", workspace: `${gateway.gatewayHome}/workspace-helper` }
          yield* client.request("agents.create", helper, Schema.Unknown, { timeout: "30 seconds" })
          yield* runTurn("agent:main:main", "one [[mock:usage=1000,10,0]]")
          yield* runTurn("agent:helper:main", "two [[mock:usage=7000,700,0]]")
          yield* runTurn("agent:helper:other", "three [[mock:usage=300,30,100]]")
          // The answer to a command is a note of the gateway's own.
          yield* runTurn("agent:main:notes", "/status")
          const scope = version.startsWith("2026.3") ? {} : { agentScope: "all" }
          // Another limit is another question, which the gateway has no earlier answer to.
          let limit = 20
          return yield* Effect.suspend(() => {
            limit += 1
            return client.request("sessions.usage", { ...scope, limit }, Told)
          }).pipe(
            Effect.repeat({
              schedule: Schedule.spaced("500 millis").pipe(Schedule.upTo({ duration: "60 seconds" })),
              until: ({ totals }) => totals.output === 740
            }),
            Effect.andThen(client.request("sessions.usage", { ...scope, limit: 20 }, Told))
          )
        }).pipe(Effect.provide(clientLayer(gateway)))
        assert.strictEqual(told.totals.output, 740)
        assert.sameMembers(
          told.aggregates.byAgent.map(({ agentId }) => agentId),
          ["main", "helper"]
        )

        const { url } = yield* startConsole({
          GATEWAY_URL: gateway.url,
          GATEWAY_TOKEN: gateway.token,
          GATEWAY_HOME: gateway.gatewayHome
        })
        const summary = yield* get(`${url}/api/tokens`, Summary).pipe(
          Effect.repeat({ schedule: Schedule.spaced("200 millis"), until: ({ totalOutput }) => totalOutput > 0 }),
          Effect.andThen(get(`${url}/api/tokens`, Summary))
        )
        const { input, output, totalCost } = told.totals
        assert.deepInclude(summary, { totalInput: input, totalOutput: output, totalMessages: 3 })
        assert.deepInclude(summary.persistent, { totalInput: input, totalOutput: output })
        assert.closeTo(summary.totalCost, totalCost, 1e-9)
        assert.closeTo(summary.persistent.totalCost, totalCost, 1e-9)
        assert.deepStrictEqual(
          summary.entries.map(({ source }) => source),
          ["mock"]
        )
        const { rows } = yield* get(`${url}/api/tokens/history?group=agent`, History)
        for (const { agentId, totals } of told.aggregates.byAgent) {
          const row = rows.find(({ agent }) => agent === agentId)
          assert.deepInclude(row, { inputTokens: totals.input, outputTokens: totals.output })
          assert.closeTo(row?.cost ?? 0, totals.totalCost, 1e-9)
        }
        assert.strictEqual(rows.length, 2)
      }).pipe(Effect.scoped)
    )
  })
}
