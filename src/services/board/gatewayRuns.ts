import { Clock, Effect, Option, Queue, Schema } from "effect"
import type { GatewayClientShape } from "../gateway/client/GatewayClientShape.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import { isBeforeStart } from "../gateway/client/gatewayStart.ts"
import type { FeedEvent } from "../gateway/feed/FeedEvent.ts"
import { saidText } from "../gateway/feed/feedMessage.ts"
import { type ResponseEnd, ResponseMessage } from "../gateway/feed/responseEnd.ts"
import { askCatalogue } from "../gateway/models/askCatalogue.ts"
import { offeredModels } from "../gateway/models/modelRules.ts"
import { rowsOf } from "../gateway/sessions/sessionRows.ts"
import { optionalEntry } from "./optionalEntry.ts"
import { Acknowledged, AgentList, RunAbort, RunHistory, RunSession, RunWait } from "./runFrames.ts"
import type { RunOrder } from "./runOrder.ts"
import { sessionLabel } from "./runPrompt.ts"
import { answerText, type RunVerdict, runVerdict } from "./runVerdict.ts"

/** How long the gateway gets to resume its work after a restart. */
const RESUME_GRACE_MS = 60_000
const NOT_OFFERED = "The gateway does not offer the chosen model"
const HISTORY_LIMIT = 200

const decodeMessage = Schema.decodeUnknownOption(ResponseMessage)

/** One poll's view of a session. */
export interface RunTranscript {
  readonly sessionId: string | undefined
  readonly messages: ReadonlyArray<ResponseMessage>
}

/** The gateway's side of a run: its calls and how the responses are read. */
export const gatewayRuns = (gateway: GatewayClientShape) => {
  const patch = (order: RunOrder, fields: { readonly model?: string; readonly label?: string }) =>
    gateway.request(
      "sessions.patch",
      { key: order.sessionKey, ...optionalEntry("thinkingLevel", order.thinking), ...fields },
      Acknowledged
    )

  /** Whether the gateway has a model among those it offers, and can use it; `unknown` where it does not tell. */
  const offers = (model: string, unknown: boolean) =>
    askCatalogue(gateway).pipe(
      Effect.map(
        ({ models, config }) =>
          offeredModels(models, config).some(({ id }) => id === model) &&
          !models.some(({ id, provider, available }) => `${provider}/${id}` === model && available === false)
      ),
      Effect.orElseSucceed(() => unknown)
    )

  const attempt = (
    order: RunOrder,
    fields: { readonly model?: string; readonly label?: string }
  ): Effect.Effect<void, GatewayError> =>
    patch(order, fields).pipe(
      Effect.asVoid,
      Effect.catch((error) => {
        const { model, label } = fields
        if (error.code === "LABEL_IN_USE" && label !== undefined) return attempt(order, optionalEntry("model", model))
        if (error.code === "UNKNOWN_MODEL" && model !== undefined && order.modelIsFallback) {
          return attempt(order, optionalEntry("label", label))
        }
        return Effect.fail(error)
      })
    )

  /**
   * Prepares the run's own session. Where nobody chose a model, the fallback is used if the gateway offers it. Answers
   * with a note when somebody chose one that the gateway takes but does not have: an older one then goes on without it.
   */
  const prepare = Effect.fnUntraced(function* (order: RunOrder, title: string) {
    const { model, modelIsFallback } = order
    const label = sessionLabel(title, order.sessionKey)
    const usable = !modelIsFallback || (yield* offers(model, false))
    yield* attempt(order, usable ? { label, model } : { label })
    return modelIsFallback || (yield* offers(model, true))
      ? undefined
      : `${NOT_OFFERED}: it goes on with its own default instead of ${model}.`
  })

  /** Sends the prompt. Safe to repeat: the run id keeps the gateway from running it twice. */
  const send = (order: RunOrder, message: string) =>
    gateway.request("chat.send", { sessionKey: order.sessionKey, message, idempotencyKey: order.runId }, Acknowledged)

  const transcript = (order: RunOrder): Effect.Effect<RunTranscript, GatewayError> =>
    gateway.request("chat.history", { sessionKey: order.sessionKey, limit: HISTORY_LIMIT }, RunHistory).pipe(
      Effect.map(({ sessionId, messages }) => ({
        sessionId: sessionId ?? undefined,
        messages: messages.flatMap((message) => Option.toArray(decodeMessage(message)))
      }))
    )

  /** Checks every source once and judges the run. */
  const poll = Effect.fnUntraced(function* (order: RunOrder) {
    const { status, error } = yield* gateway.request("agent.wait", { runId: order.runId, timeoutMs: 1 }, RunWait)
    const { sessionId, messages } = yield* transcript(order)
    const [session] = yield* rowsOf(gateway, RunSession, new Set([order.sessionKey]))
    const startedAt = (yield* gateway.gatewayStartedAt) ?? 0
    const now = yield* Clock.currentTimeMillis
    const verdict = runVerdict({
      wait: status,
      waitError: typeof error === "string" ? error : undefined,
      messages,
      session,
      restarted: isBeforeStart(order.startedAt, startedAt) && now - startedAt > RESUME_GRACE_MS
    })
    return { verdict, sessionId }
  })

  /** Waits for the event that ends the run; only sees events since the subscription started. */
  const awaitEnd = (order: RunOrder, events: Queue.Dequeue<FeedEvent>): Effect.Effect<ResponseEnd> =>
    Effect.flatMap(Queue.take(events), (event) =>
      event._tag === "ResponseEnded" && event.end.runId === order.runId
        ? Effect.succeed(event.end)
        : awaitEnd(order, events)
    )

  /**
   * The full answer after a final event: the longer of the event's and the history's text, since both may be truncated.
   */
  const wholeAnswer = (order: RunOrder, end: ResponseEnd) =>
    transcript(order).pipe(
      Effect.map(({ sessionId, messages }) => ({ sessionId, kept: answerText(messages) })),
      Effect.orElseSucceed(() => ({ sessionId: undefined, kept: undefined })),
      Effect.map(({ sessionId, kept }) => {
        const said = end.message === undefined ? undefined : saidText(end.message)
        const text = (said?.length ?? -1) > (kept?.length ?? -1) ? said : kept
        const verdict: RunVerdict = { type: "done", text }
        return { verdict, sessionId }
      })
    )

  /** Tells the gateway to end the run. */
  const stop = (order: Pick<RunOrder, "sessionKey" | "runId">) =>
    gateway.request("chat.abort", { sessionKey: order.sessionKey, runId: order.runId }, RunAbort)

  /** The agent named by a label if the gateway has it, otherwise the main one. */
  const agentFor = (label: string | undefined) =>
    label === undefined || !/^[a-z0-9][a-z0-9_-]{0,63}$/.test(label) || label === "main"
      ? Effect.succeed("main")
      : gateway.request("agents.list", {}, AgentList, { timeout: "2 seconds" }).pipe(
          Effect.map(({ agents }) => (agents.some((agent) => agent.id === label) ? label : "main")),
          Effect.orElseSucceed(() => "main")
        )

  return { prepare, send, transcript, poll, awaitEnd, wholeAnswer, stop, agentFor }
}
