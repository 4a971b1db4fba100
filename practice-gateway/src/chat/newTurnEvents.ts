import { Effect } from "effect"
import type { TurnEventParts } from "../makeGateway.ts"
import { type Connection, wantsTools } from "../server/Connection.ts"
import type { AssistantMessage } from "../sessions/messages.ts"
import { messageView } from "../sessions/messageView.ts"
import { agentIdOf, modelOf } from "../sessions/SessionStore.ts"
import { sessionFacts } from "../sessions/sessionRow.ts"
import type { JsonObject } from "../wire/frames.ts"
import { OBSERVATIONS } from "./failures.ts"
import type { ToolCall, Turn, TurnEvents } from "./TurnEvents.ts"

const SERVED_AFTER_MS = 200

const isCommand = (call: ToolCall) => call.name === "exec"

const metaOf = (call: ToolCall) => (call.meta === "" ? {} : { meta: call.meta })

const title = (call: ToolCall) => `${call.name.slice(0, 1).toUpperCase()}${call.name.slice(1)} ${call.meta}`.trim()

/** Turn events in wire protocol 4. */
export const newerTurnEvents = ({ fork, hub, now, sessions }: TurnEventParts): TurnEvents => {
  /** An answer's files are served shortly after it ends, which is announced as a message change. */
  const serveFiles = (turn: Turn, message: AssistantMessage) => {
    const files = message.parts.filter((part) => part.type === "media")
    if (files.length === 0) return
    const serve = Effect.sync(() => {
      for (const file of files) file.isServed = true
      sessions.phase(turn.session, "message", { runId: turn.runId })
    })
    fork(Effect.sleep(SERVED_AFTER_MS).pipe(Effect.andThen(serve)))
  }
  const base = (turn: Turn) => ({ sessionKey: turn.session.key, agentId: agentIdOf(turn.session.key) })
  const spawner = (turn: Turn) => (turn.session.spawnedBy === undefined ? {} : { spawnedBy: turn.session.spawnedBy })
  const agentPayload = (turn: Turn, stream: string, data: JsonObject) => ({
    runId: turn.runId,
    stream,
    data,
    ...base(turn),
    ...spawner(turn),
    seq: turn.seq,
    ts: now(),
    ...(turn.kind === "chat" ? { isHeartbeat: false } : {})
  })
  const send = (turn: Turn, stream: string, data: JsonObject, extra: JsonObject = {}) => {
    hub.emitToReaders({ event: "agent", payload: { ...agentPayload(turn, stream, data), ...extra } })
  }
  const agent = (turn: Turn, stream: string, data: JsonObject, extra: JsonObject = {}) => {
    turn.seq += 1
    send(turn, stream, data, extra)
  }
  const lifecycle = (turn: Turn, data: JsonObject, extra: JsonObject = {}) =>
    agent(turn, "lifecycle", data, { sessionId: turn.session.sessionId, ...extra })
  const chat = (turn: Turn, state: string, fields: JsonObject) =>
    hub.emitToReaders({
      event: "chat",
      payload: {
        runId: turn.runId,
        ...base(turn),
        ...spawner(turn),
        seq: turn.seq,
        state,
        ...fields
      }
    })
  const status = (turn: Turn, phase: string) => {
    if (turn.kind !== "chat") return
    turn.seq += 1
    chat(turn, "status", { phase })
    send(turn, "run_status", { phase })
  }
  /** A nested call is repeated without the name of its parent. */
  const remember = (turn: Turn, stream: string, { parentToolCallId: _, ...data }: JsonObject) =>
    turn.toolEvents.push({ runId: turn.runId, seq: turn.seq, stream, ts: now(), data, ...base(turn) })
  const tool = (turn: Turn, data: JsonObject) => {
    turn.seq += 1
    remember(turn, "tool", data)
    const row = sessions.row(turn.session)
    hub.emit(
      {
        event: "agent",
        payload: { ...agentPayload(turn, "tool", data), ...sessionFacts(row), session: row }
      },
      (connection: Connection) => connection === turn.sender && wantsTools(connection)
    )
  }
  const item = (turn: Turn, call: ToolCall, phase: string, extra: JsonObject) =>
    agent(turn, "item", {
      itemId: `tool:${call.id}`,
      toolCallId: call.id,
      name: call.name,
      kind: "tool",
      phase,
      title: title(call),
      status: phase === "end" ? "completed" : "running",
      ...metaOf(call),
      commandBearing: isCommand(call),
      ...extra
    })
  const output = (turn: Turn, call: ToolCall, phase: string, text: string, extra: JsonObject) => {
    if (!isCommand(call)) return
    agent(turn, "command_output", {
      itemId: `command:${call.id}`,
      phase,
      title: `command ${call.meta}`,
      toolCallId: call.id,
      name: call.name,
      output: text,
      status: phase === "end" ? "completed" : "running",
      ...extra
    })
  }
  const shown = (text: string) => ({
    message: { role: "assistant", content: [{ type: "text", text }], timestamp: now() }
  })
  const delta = (turn: Turn) => {
    const continues = turn.shown.startsWith(turn.lastDelta)
    const deltaText = continues ? turn.shown.slice(turn.lastDelta.length) : turn.shown
    turn.lastDelta = turn.shown
    chat(turn, "delta", { deltaText, ...(continues ? {} : { replace: true }), ...shown(turn.shown) })
  }
  const modelNames = (turn: Turn) => {
    const model = modelOf(turn.session)
    return { provider: model.provider, model: model.id }
  }
  const receipt = (turn: Turn) => ({
    runId: turn.runId,
    sessionId: turn.session.sessionId,
    turnId: turn.runId,
    requested: modelNames(turn),
    effective: { ...modelNames(turn), responseModel: modelOf(turn.session).id },
    successfulToolNames: [],
    rerouted: false,
    terminalDisposition: "visible"
  })
  const modelEnded = (turn: Turn) =>
    lifecycle(turn, { phase: "model", provider: null, model: null }, turn.kind === "chat" ? { lane: "main" } : {})
  const settled = (turn: Turn) => sessions.reason(turn.session, "agent.input.settled")
  const phases = (turn: Turn, ...names: ReadonlyArray<string>) => {
    for (const name of names) sessions.phase(turn.session, name, { runId: turn.runId })
  }
  return {
    started: (turn, user) => {
      if (turn.kind === "chat") {
        sessions.reason(turn.session, "send")
        sessions.reason(turn.session, "participants")
      }
      if (user !== undefined && turn.kind !== "cron") sessions.message(turn.session, user, turn.runId)
      status(turn, "preparing_workspace")
      status(turn, "preparing_context")
      lifecycle(turn, { phase: "start", startedAt: turn.startedAt })
      status(turn, "starting_model")
      sessions.reason(turn.session, "agent.run.started")
      phases(turn, "start")
    },
    modelStarted: (turn) => {
      lifecycle(turn, { phase: "model", ...modelNames(turn) })
      phases(turn, "model")
    },
    thinking: (turn, text, piece) => agent(turn, "thinking", { text, delta: piece }),
    assistant: (turn, text, piece) =>
      agent(turn, "assistant", { text, delta: piece, itemId: `${turn.runId}:${turn.partNumber}` }),
    media: (turn, mediaUrls) =>
      agent(turn, "assistant", { text: turn.part, delta: "", mediaUrls, itemId: `${turn.runId}:${turn.partNumber}` }),
    delta,
    stored: (turn, message) => {
      if (message.role !== "assistant") return
      agent(turn, "usage", { outputTokens: message.usage.output })
      sessions.message(turn.session, message, turn.runId)
    },
    toolStarted: (turn, call) => {
      turn.usedTools = true
      item(turn, call, "start", { startedAt: call.startedAt })
      tool(turn, {
        phase: "start",
        name: call.name,
        toolCallId: call.id,
        ...(call.parentId === undefined ? {} : { parentToolCallId: call.parentId }),
        args: call.args
      })
    },
    toolUpdated: (turn, call, result) => {
      tool(turn, {
        phase: "update",
        name: call.name,
        toolCallId: call.id,
        partialResult: { content: [{ type: "text", text: result.text }], details: { status: "running" } }
      })
      item(turn, call, "update", {})
      output(turn, call, "delta", result.text, {})
    },
    toolEnded: (turn, call, result, endedAt) => {
      tool(turn, {
        phase: "result",
        name: call.name,
        toolCallId: call.id,
        ...(call.parentId === undefined ? {} : { parentToolCallId: call.parentId }),
        ...metaOf(call),
        isError: result.isError,
        commandBearing: isCommand(call),
        result: { content: [{ type: "text", text: result.text }], details: result.details }
      })
      item(turn, call, "end", { startedAt: call.startedAt, endedAt })
      output(turn, call, "end", result.text, {
        exitCode: result.isError ? 1 : 0,
        durationMs: endedAt - call.startedAt,
        cwd: "workspace"
      })
    },
    finished: (turn, message) => {
      const common = { stopReason: "stop", aborted: false, livenessState: "working" }
      const endedAt = now()
      lifecycle(turn, {
        phase: "finishing",
        ...common,
        ...(turn.usedTools ? { replayInvalid: true } : {}),
        endedAt
      })
      modelEnded(turn)
      lifecycle(turn, {
        ...common,
        phase: "end",
        endedAt,
        startedAt: turn.startedAt,
        ...(turn.kind === "chat" ? { replayInvalid: turn.usedTools } : {}),
        terminalReply: { disposition: "visible", text: turn.shown },
        terminalReceipt: receipt(turn),
        executionSettled: true
      })
      if (turn.lastDelta !== turn.shown && turn.shown !== "") delta(turn)
      chat(turn, "final", { stopReason: "stop", ...(turn.shown === "" ? {} : shown(turn.shown)) })
      phases(turn, "model", "end")
      settled(turn)
      serveFiles(turn, message)
    },
    failed: (turn, message, error, reason) => {
      const observation = { ...modelNames(turn), ...OBSERVATIONS[reason] }
      const common = { aborted: false, livenessState: "blocked" }
      const endedAt = now()
      lifecycle(turn, { phase: "finishing", error, errorObservation: observation, ...common, endedAt })
      modelEnded(turn)
      lifecycle(turn, {
        phase: "fallback_step",
        fallbackStepType: "fallback_step",
        fallbackStepFromModel: `${observation.provider}/${observation.model}`,
        fallbackStepFromFailureReason: "format",
        fallbackStepFromFailureDetail: "400 demo failure",
        fallbackStepChainPosition: 1,
        fallbackStepFinalOutcome: "chain_exhausted"
      })
      lifecycle(turn, {
        ...common,
        errorObservation: observation,
        phase: "error",
        endedAt,
        startedAt: turn.startedAt,
        error,
        executionSettled: true
      })
      chat(turn, "error", { errorMessage: error, errorDetail: observation })
      hub.emitToReaders({
        event: "chat",
        payload: {
          runId: turn.runId,
          sessionKey: turn.session.key,
          seq: 1,
          state: "error",
          errorMessage: `⚠️ Agent failed before reply: ${error}`
        }
      })
      phases(turn, "model", "error")
      sessions.message(turn.session, message, turn.runId)
      settled(turn)
    },
    aborted: (turn) => {
      chat(turn, "aborted", { stopReason: "rpc", ...(turn.shown === "" ? {} : shown(turn.shown)) })
      lifecycle(turn, {
        phase: "end",
        status: "cancelled",
        aborted: true,
        stopReason: "rpc",
        startedAt: turn.requestedAt,
        endedAt: now()
      })
      lifecycle(turn, { phase: "model", ...modelNames(turn) })
    },
    afterAbort: (turn, stored) => {
      modelEnded(turn)
      lifecycle(turn, {
        phase: "error",
        endedAt: now(),
        startedAt: turn.startedAt,
        error: "This operation was aborted",
        aborted: true,
        stopReason: "aborted",
        executionSettled: true
      })
      settled(turn)
      for (const message of stored) sessions.message(turn.session, message, turn.runId)
      phases(turn, "end", "model", "model", "error")
    },
    queued: (turn) => chat(turn, "final", {}),
    unaccepted: (turn, why) => chat(turn, "error", { errorMessage: why }),
    injected: (turn, user, message) => {
      const { __openclaw: _, ...shownMessage } = messageView(message)
      chat(turn, "final", { message: shownMessage })
      sessions.reason(turn.session, "participants")
      sessions.message(turn.session, user, turn.runId)
      settled(turn)
      sessions.message(turn.session, message, turn.runId)
    }
  }
}
