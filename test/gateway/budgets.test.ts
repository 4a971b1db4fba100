import { assert, inject, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { GatewayClient } from "../../src/services/gateway/client/GatewayClient.ts"
import { freePort } from "../support/freePort.ts"
import { clientLayer, connected } from "../support/liveClient.ts"
import { consoleFor } from "./support/consoleFor.ts"
import { describeOn } from "./support/describeOn.ts"
import { startGateway } from "./support/realGateway.ts"
import { runTurn } from "./support/runTurn.ts"
import { temporaryDirectory } from "./support/temporaryDirectory.ts"

const Rows = Schema.Struct({ sessions: Schema.Array(Schema.Struct({ key: Schema.String })) })
const Message = Schema.Struct({
  role: Schema.String,
  provider: Schema.optionalKey(Schema.NullOr(Schema.String)),
  usage: Schema.optionalKey(Schema.Struct({ cost: Schema.optionalKey(Schema.Struct({ total: Schema.Finite })) }))
})
const History = Schema.Struct({ messages: Schema.Array(Message) })
const Budgets = Schema.Struct({
  budgets: Schema.Array(
    Schema.Struct({
      scope: Schema.Struct({ kind: Schema.String }),
      spent: Schema.Struct({ usd: Schema.Finite, turns: Schema.Int, unpriced: Schema.Int })
    })
  )
})
const decodeBudgets = Schema.decodeUnknownEffect(Budgets)
const decodeCard = Schema.decodeUnknownEffect(Schema.Struct({ id: Schema.String }))
const decodeCards = Schema.decodeUnknownEffect(
  Schema.Struct({ items: Schema.Array(Schema.Struct({ status: Schema.String })) })
)

/** The console answers sixty such questions a minute. */
const patiently = <A, E, R>(ask: Effect.Effect<A, E, R>, isIt: (answer: A) => boolean) =>
  ask.pipe(
    Effect.repeat({
      schedule: Schedule.spaced("1500 millis").pipe(Schedule.upTo({ duration: "60 seconds" })),
      until: isIt
    }),
    Effect.andThen(ask)
  )

/** What the gateway itself says that the responses of all its sessions cost. */
const figures = Effect.gen(function* () {
  const client = yield* GatewayClient
  const { sessions } = yield* client.request("sessions.list", {}, Rows)
  const histories = yield* Effect.forEach(sessions, ({ key }) =>
    client.request("chat.history", { sessionKey: key, limit: 200 }, History)
  )
  const responses = histories
    .flatMap(({ messages }) => messages)
    .filter(({ provider, role }) => role === "assistant" && provider !== "openclaw")
  return {
    nano: responses.reduce((sum, { usage }) => sum + Math.round((usage?.cost?.total ?? 0) * 1e9), 0),
    turns: responses.length
  }
})

for (const offered of inject("gateways")) {
  const { version } = offered
  describeOn(offered)(`a budget on gateway ${version}`, () => {
    it.live(
      "counts to the billionth of a dollar what the gateway says, of two agents, a sub-agent and a card, over a restart of each side",
      () =>
        Effect.gen(function* () {
          const home = yield* temporaryDirectory
          const svcHome = yield* temporaryDirectory
          const options = { version, home, port: yield* Effect.promise(freePort), token: "budgets-of-a-real-gateway" }
          const start = (gateway: { readonly url: string; readonly token: string; readonly gatewayHome: string }) =>
            consoleFor({
              GATEWAY_URL: gateway.url,
              GATEWAY_TOKEN: gateway.token,
              GATEWAY_HOME: gateway.gatewayHome,
              SVC_HOME: svcHome
            })
          type Call = Effect.Success<ReturnType<typeof start>>
          const spent = (call: Call) =>
            call("GET", "/api/budgets").pipe(
              Effect.flatMap(({ body }) => decodeBudgets(body)),
              Effect.map(({ budgets }) => ({
                nano: Math.round((budgets.at(-1)?.spent.usd ?? 0) * 1e9),
                turns: budgets.at(-1)?.spent.turns ?? 0
              }))
            )
          const compare = Effect.fnUntraced(function* (call: Call, least: number) {
            const told = yield* figures
            assert.isAtLeast(told.turns, least)
            assert.isAbove(told.nano, 0)
            const counted = yield* patiently(spent(call), ({ turns }) => turns >= told.turns)
            assert.deepStrictEqual(counted, told)
          })

          yield* Effect.gen(function* () {
            const gateway = yield* startGateway(options)
            yield* Effect.gen(function* () {
              yield* connected
              const client = yield* GatewayClient
              const helper = { name: "helper", workspace: `${gateway.gatewayHome}/workspace-helper` }
              yield* client.request("agents.create", helper, Schema.Unknown, { timeout: "30 seconds" })
              yield* Effect.gen(function* () {
                const call = yield* start(gateway)
                const made = yield* call("POST", "/api/budgets", {
                  scope: { kind: "all" },
                  period: "total",
                  limit: { usd: 1000 }
                })
                assert.strictEqual(made.status, 201)
                yield* runTurn("agent:main:main", "one [[mock:usage=1001,11,3]]")
                yield* runTurn("agent:helper:main", "two [[mock:usage=7003,701,0]]")
                const task = "three [[mock:usage=313,37,101]]"
                yield* runTurn("agent:main:main", `[[mock:tool=sessions_spawn ${JSON.stringify({ task })}]]`)
                const { id } = yield* Effect.flatMap(
                  call("POST", "/api/kanban/tasks", { title: "Four [[mock:usage=17,19,0]]" }),
                  ({ body }) => decodeCard(body)
                )
                yield* call("POST", `/api/kanban/tasks/${id}/execute`, {})
                yield* patiently(
                  Effect.flatMap(call("GET", "/api/kanban/tasks"), ({ body }) => decodeCards(body)),
                  ({ items }) => items[0]?.status === "review"
                )
                yield* Effect.sleep("3 seconds")
                yield* compare(call, 5)
              }).pipe(Effect.scoped)
              yield* runTurn("agent:main:other", "while nobody listens [[mock:usage=23,29,31]]")
              yield* compare(yield* start(gateway), 6)
            }).pipe(Effect.provide(clientLayer(gateway)))
          }).pipe(Effect.scoped)
          const gateway = yield* startGateway(options)
          yield* Effect.gen(function* () {
            yield* connected
            const call = yield* start(gateway)
            yield* runTurn("agent:helper:main", "after both [[mock:usage=41,43,0]]")
            yield* compare(call, 7)
          }).pipe(Effect.provide(clientLayer(gateway)))
        }).pipe(Effect.scoped)
    )
  })
}
