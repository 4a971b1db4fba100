import { Effect, Layer, PubSub, Schema } from "effect"
import { GatewayClient } from "../../../src/services/gateway/client/GatewayClient.ts"
import { GatewayError } from "../../../src/services/gateway/client/GatewayError.ts"
import type { GatewayEvent } from "../../../src/services/gateway/client/gatewayFrames.ts"
import { noLinkChanges, noTap } from "../../support/makeApp.ts"

/** One call the board made. */
export interface Call {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

const asRecord = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Unknown))

export const unreachable = new GatewayError({
  reason: "unreachable",
  message: "The connection to the gateway was lost."
})
export const unknownModel = new GatewayError({
  reason: "invalid",
  message: "The gateway doesn't have this model: choose another one.",
  code: "UNKNOWN_MODEL"
})

/**
 * A gateway in memory: it answers the calls of a run, remembers them, and ends runs when a test says so. `refuse` may
 * fail any call; `silent` keeps the events back, as when the link was down while the run ended.
 */
export const makeFakeGateway = Effect.gen(function* () {
  const events = yield* PubSub.unbounded<GatewayEvent>()
  const calls: Array<Call> = []
  const histories = new Map<string, Array<object>>()
  const waits = new Map<string, string>()
  const rows = new Map<string, object>()
  let refuse: (call: Call) => GatewayError | undefined = () => undefined
  let offered: ReadonlyArray<string> = ["claude-sonnet-4-5"]
  let configuration: object = {}
  let startedAt: number | undefined = 0
  let resolved: object | undefined

  const history = (key: string) => {
    const known = histories.get(key) ?? []
    histories.set(key, known)
    return known
  }

  const answer = ({ method, params }: Call): unknown => {
    const key = String(params.sessionKey ?? params.key)
    switch (method) {
      case "sessions.patch":
        return { ok: true, key, ...(resolved === undefined ? {} : { resolved }) }
      case "chat.send":
        history(key).push({ role: "user", content: params.message })
        rows.set(key, { key, status: "running", hasActiveRun: true })
        return { runId: params.idempotencyKey, status: "started" }
      case "chat.history":
        return { sessionKey: key, sessionId: "session-1", messages: history(key) }
      case "agent.wait":
        return { runId: params.runId, status: waits.get(String(params.runId)) ?? "timeout" }
      case "sessions.list":
        return { sessions: [...rows.values()] }
      case "chat.abort":
        return { ok: true, aborted: true, runIds: [params.runId] }
      case "models.list":
        return { models: offered.map((id) => ({ id, provider: "anthropic", available: true })) }
      case "config.get":
        return { config: configuration }
      case "agents.list":
        return { defaultId: "main", agents: [{ id: "main" }, { id: "writer" }] }
      default:
        return {}
    }
  }

  const layer = Layer.succeed(
    GatewayClient,
    GatewayClient.of({
      request: (method, params, payload) =>
        Effect.suspend(() => {
          const call = { method, params: asRecord(params) }
          calls.push(call)
          const refusal = refuse(call)
          return refusal === undefined
            ? Schema.decodeUnknownEffect(payload)(answer(call)).pipe(Effect.orDie)
            : Effect.fail(refusal)
        }),
      events: PubSub.subscribe(events),
      status: Effect.succeed({ gateway: "ok", since: 0 }),
      problem: Effect.succeed(undefined),
      gatewayStartedAt: Effect.sync(() => startedAt),
      connection: Effect.undefined,
      latestConnection: Effect.undefined,
      retryAt: Effect.undefined,
      tap: noTap,
      linkChanges: noLinkChanges
    })
  )

  /** A run that another console started here. */
  let known: Call["params"] | undefined

  const sent = () => calls.filter((call) => call.method === "chat.send").at(-1)?.params ?? known

  const chat = (state: string, more: object) =>
    Effect.suspend(() =>
      PubSub.publish(events, {
        event: "chat",
        payload: { runId: sent()?.idempotencyKey, sessionKey: sent()?.sessionKey, seq: 1, state, ...more }
      })
    )

  const reply = (message: object, row: object) =>
    Effect.sync(() => {
      const key = String(sent()?.sessionKey)
      history(key).push({ role: "assistant", ...message })
      rows.set(key, { key, ...row })
    })

  /** A message that a session has got. */
  const tell = (payload: object) => PubSub.publish(events, { event: "session.message", payload })

  return {
    layer,
    calls,
    tell,
    count: (method: string) => calls.filter((call) => call.method === method).length,
    sent,
    refuseWith: (rule: (call: Call) => GatewayError | undefined) => {
      refuse = rule
    },
    /** A run that another console has started on this gateway. */
    know: (sessionKey: string, idempotencyKey: string) => {
      known = { sessionKey, idempotencyKey }
      history(sessionKey).push({ role: "user", content: "Do it." })
      rows.set(sessionKey, { key: sessionKey, status: "running", hasActiveRun: true })
    },
    /** The models of the provider `anthropic` that it lists. */
    offer: (ids: ReadonlyArray<string>) => {
      offered = ids
    },
    /** The model that sessions have, as the gateway says after a change. */
    resolveTo: (model: object | undefined) => {
      resolved = model
    },
    configure: (config: object) => {
      configuration = config
    },
    setRow: (row: object) => rows.set(String(sent()?.sessionKey), { key: String(sent()?.sessionKey), ...row }),
    setWait: (status: string) => waits.set(String(sent()?.idempotencyKey), status),
    setStartedAt: (at: number) => {
      startedAt = at
    },
    /** Replaces the run's history from now on. */
    write: (message: object) =>
      Effect.sync(() => {
        history(String(sent()?.sessionKey)).push(message)
      }),
    /** The agent asks for permission to run something. */
    ask: (id: string, command: string) =>
      Effect.suspend(() =>
        PubSub.publish(events, {
          event: "exec.approval.requested",
          payload: {
            id,
            request: { command, sessionKey: sent()?.sessionKey },
            createdAtMs: 0,
            expiresAtMs: 120_000
          }
        })
      ),
    decide: (id: string, decision: string) =>
      PubSub.publish(events, { event: "exec.approval.resolved", payload: { id, decision } }),
    /** The agent answers; with `silent`, only the transcript has it. */
    finish: (text: string, options: { readonly silent?: boolean } = {}) =>
      reply({ content: [{ type: "text", text }], stopReason: "stop" }, { status: "done", hasActiveRun: false }).pipe(
        Effect.andThen(
          options.silent === true
            ? Effect.void
            : chat("final", { message: { role: "assistant", content: [{ type: "text", text }] } })
        )
      ),
    fail: (errorMessage: string, errorDetail?: object) =>
      chat("error", { errorMessage, ...(errorDetail === undefined ? {} : { errorDetail }) }),
    abort: chat("aborted", { stopReason: "rpc" }),
    chat
  }
})

export type FakeGateway = Effect.Success<typeof makeFakeGateway>
