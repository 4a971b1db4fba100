import { randomUUID } from "node:crypto"
import { assert, inject, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { GatewayClient } from "../../src/services/gateway/client/GatewayClient.ts"
import { clientLayer, connected, statusWhere } from "../support/liveClient.ts"
import { describeOn } from "./support/describeOn.ts"
import { readRun } from "./support/readRun.ts"

const SessionList = Schema.Struct({ sessions: Schema.Array(Schema.Struct({ key: Schema.String })) })
const ModelList = Schema.Struct({ models: Schema.Array(Schema.Struct({ id: Schema.String, provider: Schema.String })) })
const Started = Schema.Struct({ runId: Schema.String, status: Schema.Literal("started") })
const Aborted = Schema.Struct({ ok: Schema.Boolean, aborted: Schema.Boolean })
const History = Schema.Struct({ messages: Schema.Array(Schema.Struct({ role: Schema.String })) })

const send = Effect.fnUntraced(function* (sessionKey: string, message: string) {
  const client = yield* GatewayClient
  return yield* client.request("chat.send", { sessionKey, message, idempotencyKey: randomUUID() }, Started)
})

for (const gateway of inject("gateways")) {
  describeOn(gateway)(`gateway ${gateway.version}`, () => {
    const live = (name: string, test: Effect.Effect<void, unknown, GatewayClient>) =>
      it.live(name, () => test.pipe(Effect.provide(clientLayer(gateway)), Effect.scoped))

    it.live("is paired at once and grants every scope", () =>
      Effect.gen(function* () {
        const client = yield* GatewayClient
        yield* connected
        const connection = yield* client.connection
        assert.strictEqual(connection?.version, gateway.version)
        assert.strictEqual(connection?.protocol, gateway.version === "2026.9.6" ? 4 : 3)
        assert.includeMembers([...(connection?.scopes ?? [])], ["operator.admin", "operator.read", "operator.write"])
        const startedAt = yield* client.gatewayStartedAt
        assert.isBelow(startedAt ?? Number.POSITIVE_INFINITY, Date.now())
        assert.isAbove(startedAt ?? 0, Date.now() - 3_600_000)
      }).pipe(Effect.provide(clientLayer(gateway)), Effect.scoped)
    )

    live(
      "lists sessions and models, also when asked before the link is open",
      Effect.gen(function* () {
        const client = yield* GatewayClient
        const [sessions, models] = yield* Effect.all(
          [client.request("sessions.list", {}, SessionList), client.request("models.list", {}, ModelList)],
          { concurrency: "unbounded" }
        )
        assert.isArray(sessions.sessions)
        assert.isNotEmpty(models.models)
      })
    )

    live(
      "streams a message to its end",
      Effect.gen(function* () {
        const client = yield* GatewayClient
        const events = yield* client.events
        const key = `agent:main:test-${randomUUID()}`
        const { runId } = yield* send(key, "hello [[mock:chunks=20]] [[mock:delay=20]]")
        const run = yield* readRun(events, runId)
        assert.strictEqual(run.states.at(-1), "final")
        assert.include(run.states, "delta")
        assert.include(run.text, "echo: hello")
        const history = yield* client.request("chat.history", { sessionKey: key }, History)
        assert.includeMembers(
          history.messages.map(({ role }) => role),
          ["user", "assistant"]
        )
      }).pipe(Effect.scoped)
    )

    live(
      "aborts a run",
      Effect.gen(function* () {
        const client = yield* GatewayClient
        const events = yield* client.events
        const key = `agent:main:test-${randomUUID()}`
        const { runId } = yield* send(key, "[[mock:text=one two three four]] [[mock:chunks=4]] [[mock:hang]]")
        const abort = client.request("chat.abort", { sessionKey: key, runId }, Aborted)
        const answer = yield* abort.pipe(Effect.repeat({ until: ({ aborted }) => aborted }))
        assert.isTrue(answer.ok)
        assert.strictEqual((yield* readRun(events, runId)).states.at(-1), "aborted")
      }).pipe(Effect.scoped)
    )

    live(
      "explains what it refuses",
      Effect.gen(function* () {
        const client = yield* GatewayClient
        const unknown = yield* Effect.flip(client.request("no.such.method", {}, Schema.Unknown))
        assert.strictEqual(unknown.reason, "not_found")
        const thinking = { key: `agent:main:test-${randomUUID()}`, thinkingLevel: "nonsense" }
        const level = yield* Effect.flip(client.request("sessions.patch", thinking, Schema.Unknown))
        assert.strictEqual(level.code, "INVALID_THINKING_LEVEL")
        const pairing = yield* Effect.flip(client.request("device.pair.list", { x: 1 }, Schema.Unknown))
        assert.isNotEmpty(pairing.message)
      })
    )

    it.live("a wrong token is reported, and not tried again", () =>
      Effect.gen(function* () {
        const client = yield* GatewayClient
        const status = yield* statusWhere(({ reason }) => reason?.includes("refused the token") === true)
        assert.strictEqual(status.gateway, "unreachable")
        assert.strictEqual((yield* Effect.flip(client.request("health", {}, Schema.Unknown))).reason, "refused")
      }).pipe(Effect.provide(clientLayer({ url: gateway.url, token: "wrong" })), Effect.scoped)
    )
  })
}
