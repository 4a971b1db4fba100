import { Clock, Effect, Option, Queue, Schema } from "effect"
import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import type { SessionActivity } from "../../gateway/activity/SessionActivity.ts"
import type { GatewayClientShape } from "../../gateway/client/GatewayClient.ts"
import type { GatewayError } from "../../gateway/client/GatewayError.ts"
import { beganBeforeStart } from "../../gateway/client/gatewayStart.ts"
import type { FeedEvent } from "../../gateway/feed/FeedEvent.ts"
import { type ResponseEnd, ResponseMessage, saidText } from "../../gateway/feed/feedMessage.ts"
import { askCatalogue } from "../../gateway/models/Models.ts"
import { offeredModels } from "../../gateway/models/modelRules.ts"
import { rowsOf } from "../../gateway/sessions/sessionSchemas.ts"
import { optionalEntry } from "../../platform/optionalEntry.ts"
import type { RunOrder } from "../boardEvents.ts"
import { type ApprovalOutcome, type ApprovalOutcomes, judgeCommands, noteApproval } from "./commandApprovals.ts"
import { sessionLabel } from "./runPrompt.ts"
import {
  Acknowledged,
  AgentList,
  Patched,
  RunAbort,
  RunHistory,
  RunSession,
  type RunVerdict,
  RunWait,
  runVerdict,
  wholeText
} from "./runVerdict.ts"

/** How long the gateway gets to resume its work after a restart. */
const RESUME_GRACE_MS = 60_000
const HISTORY_LIMIT = 200

/** The first wire protocol whose gateways hold the agent's turn until a person has decided. */
const PROTOCOL_THAT_WAITS = 4

/** The full id of a session's model; `undefined` where the gateway doesn't say. */
const modelName = (resolved: (typeof Patched.Type)["resolved"]): string | undefined => {
  const { model, modelProvider } = resolved ?? {}
  return typeof model !== "string" || typeof modelProvider !== "string" ? undefined : `${modelProvider}/${model}`
}

const replacedModel = (model: string, own: string | undefined): Failure =>
  own === undefined ? failure("MODEL_REPLACED_BY_DEFAULT", { model }) : failure("MODEL_REPLACED", { model, own })

const decodeMessage = Schema.decodeUnknownOption(ResponseMessage)

/** One poll's view of a session. */
export interface RunTranscript {
  readonly sessionId: string | undefined
  readonly messages: ReadonlyArray<ResponseMessage>
}

/** The gateway's side of a run: its calls and how the responses are read. */
export const gatewayRuns = (gateway: GatewayClientShape, activity: SessionActivity) => {
  const patch = (order: RunOrder, fields: { readonly model?: string; readonly label?: string }) =>
    gateway.request(
      "sessions.patch",
      { key: order.sessionKey, ...optionalEntry("thinkingLevel", order.thinking), ...fields },
      Patched
    )

  /** Whether the gateway has a model among those it offers, and can use it; `unknown` if the gateway doesn't say. */
  const offers = (model: string, unknown: boolean) =>
    askCatalogue(gateway).pipe(
      Effect.map(
        ({ models, config }) =>
          offeredModels(models, config).some(({ id }) => id === model) &&
          !models.some(({ id, provider, available }) => `${provider}/${id}` === model && available === false)
      ),
      Effect.orElseSucceed(() => unknown)
    )

  /** Returns the model in use if the fallback was refused; `undefined` if it wasn't. */
  const attempt = (
    order: RunOrder,
    fields: { readonly model?: string; readonly label?: string }
  ): Effect.Effect<{ readonly own: string | undefined } | undefined, GatewayError> =>
    patch(order, fields).pipe(
      Effect.as(undefined),
      Effect.catch((error) => {
        const { model, label } = fields
        if (error.code === "LABEL_IN_USE" && label !== undefined) return attempt(order, optionalEntry("model", model))
        if (error.code === "UNKNOWN_MODEL" && model !== undefined && order.modelIsFallback) {
          return patch(order, optionalEntry("label", label)).pipe(
            Effect.catchIf(
              ({ code }) => code === "LABEL_IN_USE",
              () => patch(order, {})
            ),
            Effect.map(({ resolved }) => ({ own: modelName(resolved) }))
          )
        }
        return Effect.fail(error)
      })
    )

  /**
   * Prepares the run's own session. Without a chosen model, the fallback is used if the gateway offers it. Returns a note
   * when the gateway lists the fallback and then refuses it, and when it accepts a chosen model that it doesn't have: an
   * older gateway then uses its default.
   */
  const prepare = Effect.fnUntraced(function* (order: RunOrder, title: string) {
    const { model, modelIsFallback } = order
    const label = sessionLabel(title, order.sessionKey)
    const usable = !modelIsFallback || (yield* offers(model, false))
    const refused = yield* attempt(order, usable ? { label, model } : { label })
    if (refused !== undefined) return replacedModel(model, refused.own)
    return modelIsFallback || (yield* offers(model, true)) ? undefined : failure("MODEL_NOT_OFFERED", { model })
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

  /** Whether the gateway has the run's prompt; an older one has its session's first message only with the response. */
  const isKnown = Effect.fnUntraced(function* (order: RunOrder) {
    if ((yield* transcript(order)).messages.length > 0) return true
    return activity.isBusy(order.sessionKey) || (yield* activity.isListed(order.sessionKey))
  })

  /** Checks every source once and judges the run. */
  const poll = Effect.fnUntraced(function* (order: RunOrder, approvals: ApprovalOutcomes) {
    const { status, error } = yield* gateway.request("agent.wait", { runId: order.runId, timeoutMs: 1 }, RunWait)
    const { sessionId, messages } = yield* transcript(order)
    const [session] = yield* rowsOf(gateway, RunSession, new Set([order.sessionKey]))
    const startedAt = (yield* gateway.gatewayStartedAt) ?? 0
    const now = yield* Clock.currentTimeMillis
    const { isAwaited, notes } = judgeCommands(messages, approvals, now)
    const verdict = runVerdict({
      isAwaited,
      wait: status,
      waitError: typeof error === "string" ? error : undefined,
      messages,
      session,
      restarted: beganBeforeStart(order.startedAt, startedAt) && now - startedAt > RESUME_GRACE_MS
    })
    return { verdict, sessionId, notes }
  })

  /** Whether an older gateway ends the agent's turn while a permission is open. */
  const endsEarly = Effect.map(gateway.connection, (found) => (found?.protocol ?? 0) < PROTOCOL_THAT_WAITS)

  /**
   * Waits for the event that ends the run; only sees events since the subscription started. Where permissions outlast
   * the agent's turn and one was requested, no event reports the end of the run; `approvals` receives their outcomes.
   */
  const awaitEnd = Effect.fnUntraced(function* (
    order: RunOrder,
    events: Queue.Dequeue<FeedEvent>,
    approvals: Map<string, ApprovalOutcome>
  ) {
    for (;;) {
      const event = yield* Queue.take(events)
      if (yield* endsEarly) noteApproval(approvals, order.sessionKey, event, yield* Clock.currentTimeMillis)
      if (event._tag !== "ResponseEnded" || event.end.runId !== order.runId) continue
      if (approvals.size === 0 || event.end.state !== "final") return event.end
    }
  })

  /** The full answer after a final event, if the run is over with it. */
  const wholeAnswer = Effect.fnUntraced(function* (order: RunOrder, end: ResponseEnd, approvals: ApprovalOutcomes) {
    const { messages, sessionId } = yield* Effect.orElseSucceed(
      transcript(order),
      (): RunTranscript => ({ sessionId: undefined, messages: [] })
    )
    const text = wholeText(messages, end.message === undefined ? undefined : saidText(end.message))
    const { isAwaited, notes } = judgeCommands(messages, approvals, yield* Clock.currentTimeMillis)
    const verdict: RunVerdict = isAwaited ? { type: "running" } : { type: "done", text }
    return { verdict, sessionId, notes }
  })

  /** Ends the run on the gateway. */
  const stop = (order: Pick<RunOrder, "sessionKey" | "runId">) =>
    gateway.request("chat.abort", { sessionKey: order.sessionKey, runId: order.runId }, RunAbort)

  /** The agent named by a label if the gateway has it, otherwise the main one. */
  const agentFor = (label: string) =>
    label === "main"
      ? Effect.succeed("main")
      : gateway.request("agents.list", {}, AgentList, { timeout: "2 seconds" }).pipe(
          Effect.map(({ agents }) => (agents.some((agent) => agent.id === label) ? label : "main")),
          Effect.orElseSucceed(() => "main")
        )

  return { prepare, send, isKnown, poll, awaitEnd, wholeAnswer, stop, agentFor }
}
