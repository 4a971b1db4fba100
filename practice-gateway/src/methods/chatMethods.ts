import { Deferred, Effect, Schema } from "effect"
import type { Run } from "../chat/runTypes.ts"
import { historyView } from "../sessions/historyView.ts"
import { type AssistantMessage, gatewayNote, NO_USAGE, type StoredImage } from "../sessions/messages.ts"
import { splitModelId } from "../sessions/models.ts"
import { modelOf, type Session } from "../sessions/SessionStore.ts"
import type { JsonObject } from "../wire/frames.ts"
import { GatewayRefusal, invalidRequest } from "../wire/GatewayRefusal.ts"
import { runCommand } from "./commands.ts"
import { historyAround } from "./historyAround.ts"
import { deltaCursorOf, historySince } from "./historySince.ts"
import { type Answer, type Call, type GatewayMethod, method } from "./method.ts"

const Attachment = Schema.Struct({
  type: Schema.optionalKey(Schema.String),
  mimeType: Schema.optionalKey(Schema.String),
  fileName: Schema.optionalKey(Schema.String),
  content: Schema.optionalKey(Schema.String)
})

const QueueMode = Schema.Literals(["steer", "followup", "collect", "interrupt"])

const sendFields = {
  message: Schema.String,
  thinking: Schema.optionalKey(Schema.String),
  deliver: Schema.optionalKey(Schema.Boolean),
  timeoutMs: Schema.optionalKey(Schema.Finite),
  attachments: Schema.optionalKey(Schema.Array(Attachment)),
  queueMode: Schema.optionalKey(QueueMode)
}

const ChatSend = Schema.Struct({ sessionKey: Schema.String, idempotencyKey: Schema.String, ...sendFields })
const SessionsSend = Schema.Struct({
  key: Schema.String,
  idempotencyKey: Schema.optionalKey(Schema.String),
  ...sendFields
})

interface SendRequest {
  readonly key: string
  readonly runId: string
  readonly message: string
  readonly attachments: ReadonlyArray<typeof Attachment.Type>
  readonly mode?: typeof QueueMode.Type | undefined
}

const toImages = (attachments: ReadonlyArray<typeof Attachment.Type>): ReadonlyArray<StoredImage> =>
  attachments.flatMap(({ mimeType, fileName, content }) =>
    content === undefined
      ? []
      : [
          {
            mimeType: mimeType ?? "application/octet-stream",
            fileName,
            sizeBytes: Buffer.byteLength(content, "base64"),
            data: content
          }
        ]
  )

/** Adds a message to a session; the same idempotency key never runs twice. */
export const sendMessage = (request: SendRequest, { gateway, connection }: Call): Answer =>
  Effect.suspend(() => {
    const known = gateway.runs.find(request.runId)
    if (known !== undefined)
      return Effect.succeed({ runId: request.runId, status: known.outcome === undefined ? "in_flight" : "ok" })
    if (request.message.trim() === "" && request.attachments.length === 0)
      return Effect.fail(invalidRequest("message or attachment required"))
    const session = gateway.store.open(request.key)
    if (session.archived)
      return Effect.fail(invalidRequest(`Session "${session.key}" is archived. Restore it before starting new work.`))
    if (!runCommand(gateway, session, { runId: request.runId, text: request.message })) {
      if (request.mode === "interrupt") gateway.runs.abort(session, undefined)
      gateway.runs.start({
        steers: (request.mode ?? "steer") === "steer",
        runId: request.runId,
        session,
        kind: "chat",
        text: request.message,
        images: toImages(request.attachments),
        sender: connection
      })
    }
    return Effect.succeed({ runId: request.runId, status: "started" })
  })

const inFlight = (run: Run | undefined): JsonObject =>
  run?.turn === undefined
    ? {}
    : {
        inFlightRun: {
          runId: run.runId,
          text: run.turn.shown,
          startedAt: run.turn.startedAt,
          events: run.turn.toolEvents
        }
      }

const historyOf = (session: Session, limit: number, offset: number, maxChars: number, { gateway }: Call) => {
  const isUnwritten = gateway.generation.writesLate && !session.messages.some(({ role }) => role === "assistant")
  const written = isUnwritten ? [] : session.messages
  const end = Math.max(0, written.length - offset)
  const messages = written.slice(Math.max(0, end - limit), end)
  return {
    sessionKey: session.key,
    sessionId: session.sessionId,
    messages: messages.map((message) => historyView(message, gateway.generation, maxChars)),
    activity: [],
    pendingInputs: { items: [], total: 0 },
    deltaCursor: deltaCursorOf(session),
    nextOffset: offset + messages.length,
    hasMore: offset + messages.length < session.messages.length,
    totalMessages: session.messages.length,
    defaults: { modelProvider: "demo", model: modelOf(session).id, contextTokens: modelOf(session).contextWindow },
    sessionInfo: gateway.sessions.row(session),
    ...inFlight(gateway.runs.running(session.key)),
    ...gateway.generation.historyFacts(session)
  }
}

const emptyHistory = (key: string, { gateway }: Call) => ({
  sessionKey: key,
  messages: [],
  hasMore: false,
  totalMessages: 0,
  ...gateway.generation.historyFacts(undefined)
})

const injectNote = (session: Session, text: string, runId: string, { gateway }: Call): AssistantMessage => {
  const message = gatewayNote(text, { ...gateway.store.stamp(session), timestamp: gateway.now(), runId })
  gateway.store.append(session, message)
  gateway.sessions.message(session, message, undefined)
  return message
}

const agentResult = (run: Run, session: Session, outcome: { readonly text: string; readonly endedAt: number }) => {
  const model = modelOf(session)
  const last = session.messages.findLast((message) => message.role === "assistant" && message.runId === run.runId)
  return {
    payloads: [{ text: outcome.text, mediaUrl: null }],
    meta: {
      durationMs: outcome.endedAt - run.requestedAt,
      agentMeta: {
        sessionId: session.sessionId,
        provider: model.provider,
        model: model.id,
        usage: last?.role === "assistant" ? last.usage : NO_USAGE
      },
      aborted: false,
      stopReason: "stop"
    }
  }
}

const AgentParams = Schema.Struct({
  message: Schema.String,
  sessionKey: Schema.optionalKey(Schema.String),
  idempotencyKey: Schema.String,
  model: Schema.optionalKey(Schema.String),
  provider: Schema.optionalKey(Schema.String),
  thinking: Schema.optionalKey(Schema.String),
  label: Schema.optionalKey(Schema.String),
  deliver: Schema.optionalKey(Schema.Boolean),
  extraSystemPrompt: Schema.optionalKey(Schema.String),
  timeout: Schema.optionalKey(Schema.Finite),
  agentId: Schema.optionalKey(Schema.String),
  lane: Schema.optionalKey(Schema.String),
  attachments: Schema.optionalKey(Schema.Array(Attachment))
})

const runAgent = Effect.fnUntraced(function* (params: typeof AgentParams.Type, call: Call) {
  const { gateway, connection } = call
  const admin = connection.session?.admission.scopes.includes("operator.admin") === true
  if (params.model !== undefined && !admin)
    return yield* invalidRequest("provider/model overrides are not authorized for this caller.")
  const session = gateway.store.open(params.sessionKey ?? `agent:${params.agentId ?? "main"}:main`)
  if (params.label !== undefined) session.label = params.label
  if (params.model !== undefined) session.override = splitModelId(params.model)
  if (params.thinking !== undefined) session.thinkingLevel = params.thinking
  const known = gateway.runs.find(params.idempotencyKey)
  const run =
    known ??
    gateway.runs.start({
      runId: params.idempotencyKey,
      session,
      kind: "agent",
      text: params.message,
      images: toImages(params.attachments ?? []),
      sender: connection
    })
  call.answerFirst({
    runId: run.runId,
    sessionKey: session.key,
    agentId: "main",
    status: "accepted",
    acceptedAt: run.requestedAt
  })
  const end = yield* Deferred.await(run.done)
  if (end.status === "ok")
    return { runId: run.runId, status: "ok", summary: "completed", result: agentResult(run, session, end) }
  if (end.status === "aborted" && gateway.generation.tellsEnds)
    return { runId: run.runId, status: "timeout", summary: "aborted" }
  const message = end.error ?? "the run ended without an answer"
  return yield* new GatewayRefusal({
    code: "UNAVAILABLE",
    message,
    payload: { runId: run.runId, status: "error", summary: message }
  })
})

const waitStatus = (run: Run, status: "ok" | "error" | "aborted", tellsEnds: boolean) => {
  if (!tellsEnds) return status === "error" && run.kind !== "chat" ? "error" : "ok"
  return status === "ok" ? "ok" : "error"
}

const MAX_WAIT_MS = 600_000

const waitForRun = Effect.fnUntraced(function* (runId: string, timeoutMs: number, { gateway }: Call) {
  const run = gateway.runs.find(runId)
  const limit = Math.min(timeoutMs, MAX_WAIT_MS)
  if (run === undefined) {
    yield* Effect.sleep(limit)
    return { runId, status: "timeout" }
  }
  const outcome = yield* Deferred.await(run.done).pipe(
    Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.void })
  )
  if (outcome === undefined) return { runId, status: "timeout" }
  const { tellsEnds } = gateway.generation
  return {
    runId,
    status: waitStatus(run, outcome.status, tellsEnds),
    endedAt: outcome.endedAt,
    ...(outcome.error === undefined || (!tellsEnds && run.kind === "chat") ? {} : { error: outcome.error }),
    stopReason: "stop",
    terminalReply: { disposition: "visible", text: outcome.text }
  }
})

/** `chat.*`, `agent`, `agent.wait` and the session methods that run or stop turns. */
export const chatMethods: ReadonlyArray<GatewayMethod> = [
  method("chat.send", "operator.write", ChatSend, (params, call) =>
    sendMessage(
      {
        key: params.sessionKey,
        runId: params.idempotencyKey,
        message: params.message,
        attachments: params.attachments ?? [],
        mode: params.queueMode
      },
      call
    )
  ),
  method("sessions.send", "operator.write", SessionsSend, (params, call) =>
    sendMessage(
      {
        key: params.key,
        runId: params.idempotencyKey ?? call.gateway.newId(),
        message: params.message,
        attachments: params.attachments ?? [],
        mode: params.queueMode
      },
      call
    )
  ),
  method(
    "chat.abort",
    "operator.write",
    Schema.Struct({ sessionKey: Schema.String, runId: Schema.optionalKey(Schema.String) }),
    (params, { gateway }) =>
      Effect.sync(() => {
        const session = gateway.store.find(params.sessionKey)
        const kinds = gateway.generation.abortsEveryKind ? undefined : (["chat"] as const)
        const runIds = session === undefined ? [] : gateway.runs.abort(session, params.runId, kinds)
        return { ok: true, aborted: runIds.length > 0, runIds }
      })
  ),
  method(
    "sessions.abort",
    "operator.write",
    Schema.Struct({ key: Schema.String, runId: Schema.optionalKey(Schema.String) }),
    (params, { gateway }) =>
      Effect.sync(() => {
        const session = gateway.store.find(params.key)
        const kinds = gateway.generation.abortsEveryKind ? undefined : (["chat"] as const)
        const [runId] = session === undefined ? [] : gateway.runs.abort(session, params.runId, kinds)
        return { ok: true, abortedRunId: runId ?? null, status: runId === undefined ? "no-active-run" : "aborted" }
      })
  ),
  method(
    "chat.history",
    "operator.read",
    Schema.Struct({
      sessionKey: Schema.String,
      limit: Schema.optionalKey(
        Schema.Int.check(
          Schema.isGreaterThanOrEqualTo(1, { message: "must be >= 1" }),
          Schema.isLessThanOrEqualTo(1000, { message: "must be <= 1000" })
        )
      ),
      maxChars: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500_000 }))),
      offset: Schema.optionalKey(Schema.Int),
      cursor: Schema.optionalKey(Schema.String),
      messageId: Schema.optionalKey(Schema.String),
      sessionId: Schema.optionalKey(Schema.String)
    }),
    (params, call) =>
      Effect.suspend((): Answer => {
        const session = call.gateway.store.find(params.sessionKey)
        const maxChars = params.maxChars ?? call.gateway.generation.historyMaxChars
        if (session !== undefined && params.messageId !== undefined)
          return historyAround(session, { ...params, messageId: params.messageId, maxChars }, call)
        if (params.cursor !== undefined) return historySince(session, params.cursor, call)
        return Effect.succeed(
          session === undefined
            ? emptyHistory(params.sessionKey, call)
            : historyOf(session, params.limit ?? 200, params.offset ?? 0, maxChars, call)
        )
      })
  ),
  method(
    "chat.inject",
    "operator.admin",
    Schema.Struct({ sessionKey: Schema.String, message: Schema.String, label: Schema.optionalKey(Schema.String) }),
    (params, call) =>
      Effect.suspend((): Answer => {
        const session = call.gateway.store.find(params.sessionKey)
        if (session === undefined) return Effect.fail(invalidRequest("session not found"))
        const text = params.label === undefined ? params.message : `[${params.label}]\n\n${params.message}`
        return Effect.succeed({ ok: true, messageId: injectNote(session, text, call.gateway.newId(), call).id })
      })
  ),
  method("agent", "operator.write", AgentParams, runAgent),
  method(
    "agent.wait",
    "operator.write",
    Schema.Struct({ runId: Schema.String, timeoutMs: Schema.optionalKey(Schema.Finite) }),
    (params, call) => waitForRun(params.runId, params.timeoutMs ?? 30_000, call)
  )
]
