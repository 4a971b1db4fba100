import { Clock, Effect, Option, PubSub, Schema } from "effect"
import type { GatewayClientShape } from "../gateway/GatewayClient.ts"
import type { GatewayError } from "../gateway/GatewayError.ts"
import { optionalEntry } from "./optionalEntry.ts"
import {
  Acknowledged,
  AgentList,
  ModelList,
  RunAbort,
  RunEnd,
  RunHistory,
  RunMessage,
  RunSessions,
  RunWait
} from "./runFrames.ts"
import { sessionLabel } from "./runPrompt.ts"
import type { RunOrder } from "./runStore.ts"
import { answerText, messageText, type RunVerdict, runVerdict } from "./runVerdict.ts"

/** After a restart the gateway gets this long to resume what it was doing. */
const RESUME_GRACE_MS = 60_000
const HISTORY_LIMIT = 200
const SESSION_LIMIT = 200

const decodeMessage = Schema.decodeUnknownOption(RunMessage)
const decodeEnd = Schema.decodeUnknownOption(RunEnd)

/** One poll's view of a session. */
export interface RunTranscript {
  readonly sessionId: string | undefined
  readonly messages: ReadonlyArray<RunMessage>
}

/** The gateway's side of a run: the calls of D43, and how its answers are read. */
export const gatewayRuns = (gateway: GatewayClientShape) => {
  const patch = (order: RunOrder, fields: { readonly model?: string; readonly label?: string }) =>
    gateway.request(
      "sessions.patch",
      { key: order.sessionKey, ...optionalEntry("thinkingLevel", order.thinking), ...fields },
      Acknowledged
    )

  /** Whether the gateway offers a model; one generation takes any known name and fails only when it is used. */
  const offers = (model: string) =>
    gateway.request("models.list", {}, ModelList).pipe(
      Effect.map(({ models }) =>
        models.some(({ id, provider, available }) => `${provider}/${id}` === model && available !== false)
      ),
      Effect.orElseSucceed(() => true)
    )

  interface Attempt {
    readonly model?: string
    readonly label?: string
    readonly note?: string
  }

  const ownDefault = (model: string) => `the gateway does not offer the model ${model}: its own default model is used`

  const attempt = (order: RunOrder, { note, ...fields }: Attempt): Effect.Effect<string | undefined, GatewayError> =>
    patch(order, fields).pipe(
      Effect.as(note),
      Effect.catch((error) => {
        const { model, label } = fields
        if (error.code === "LABEL_IN_USE" && label !== undefined) {
          return attempt(order, { ...optionalEntry("model", model), ...optionalEntry("note", note) })
        }
        if (error.code === "UNKNOWN_MODEL" && model !== undefined && order.modelIsFallback) {
          return attempt(order, { ...optionalEntry("label", label), note: ownDefault(model) })
        }
        return Effect.fail(error)
      })
    )

  /**
   * Prepares the run's own session. Answers with a note when nobody chose the model and the gateway does not offer the
   * fallback, so that its own default is used (D3).
   */
  const prepare = Effect.fnUntraced(function* (order: RunOrder, title: string) {
    const label = sessionLabel(title, order.sessionKey)
    const usable = !order.modelIsFallback || (yield* offers(order.model))
    return yield* attempt(order, usable ? { label, model: order.model } : { label, note: ownDefault(order.model) })
  })

  /** Sends the prompt; safe to repeat, the run id keeps the gateway from running it twice. */
  const send = (order: RunOrder, message: string) =>
    gateway.request("chat.send", { sessionKey: order.sessionKey, message, idempotencyKey: order.runId }, Acknowledged)

  const transcript = (order: RunOrder): Effect.Effect<RunTranscript, GatewayError> =>
    gateway.request("chat.history", { sessionKey: order.sessionKey, limit: HISTORY_LIMIT }, RunHistory).pipe(
      Effect.map(({ sessionId, messages }) => ({
        sessionId: sessionId ?? undefined,
        messages: messages.flatMap((message) => Option.toArray(decodeMessage(message)))
      }))
    )

  /** Asks every source once and judges the run. */
  const poll = Effect.fnUntraced(function* (order: RunOrder) {
    const { status } = yield* gateway.request("agent.wait", { runId: order.runId, timeoutMs: 1 }, RunWait)
    const { sessionId, messages } = yield* transcript(order)
    const { sessions } = yield* gateway.request("sessions.list", { limit: SESSION_LIMIT }, RunSessions)
    const startedAt = (yield* gateway.gatewayStartedAt) ?? 0
    const now = yield* Clock.currentTimeMillis
    const verdict = runVerdict({
      wait: status,
      messages,
      session: sessions.find((row) => row.key === order.sessionKey),
      restarted: startedAt > order.startedAt && now - startedAt > RESUME_GRACE_MS
    })
    return { verdict, sessionId }
  })

  /** Waits for the event that ends the run; only events from the subscription's start on are seen. */
  const awaitEnd = (order: RunOrder, events: Effect.Success<GatewayClientShape["events"]>): Effect.Effect<RunEnd> =>
    PubSub.take(events).pipe(
      Effect.map((event) => (event.event === "chat" ? decodeEnd(event.payload) : Option.none<RunEnd>())),
      Effect.repeat({
        until: (end): end is Option.Some<RunEnd> => Option.isSome(end) && end.value.runId === order.runId
      }),
      Effect.map((end) => end.value)
    )

  /** The whole answer after a final event: the longer of what the event and the history hold, as both may be cut. */
  const wholeAnswer = (order: RunOrder, end: RunEnd) =>
    transcript(order).pipe(
      Effect.map(({ sessionId, messages }) => ({ sessionId, kept: answerText(messages) })),
      Effect.orElseSucceed(() => ({ sessionId: undefined, kept: undefined })),
      Effect.map(({ sessionId, kept }) => {
        const said = end.message === undefined ? undefined : messageText(end.message)
        const text = (said?.length ?? -1) > (kept?.length ?? -1) ? said : kept
        const verdict: RunVerdict = { type: "done", text }
        return { verdict, sessionId }
      })
    )

  /** Tells the gateway to end the run. */
  const stop = (order: Pick<RunOrder, "sessionKey" | "runId">) =>
    gateway.request("chat.abort", { sessionKey: order.sessionKey, runId: order.runId }, RunAbort)

  /** The agent of a label when the gateway has one of that name, else the main one. */
  const agentFor = (label: string | undefined) =>
    label === undefined || !/^[a-z0-9][a-z0-9_-]{0,63}$/.test(label) || label === "main"
      ? Effect.succeed("main")
      : gateway.request("agents.list", {}, AgentList, { timeout: "2 seconds" }).pipe(
          Effect.map(({ agents }) => (agents.some((agent) => agent.id === label) ? label : "main")),
          Effect.orElseSucceed(() => "main")
        )

  return { prepare, send, transcript, poll, awaitEnd, wholeAnswer, stop, agentFor }
}
