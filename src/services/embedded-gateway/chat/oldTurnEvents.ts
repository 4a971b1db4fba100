import { DateTime } from "effect"
import { type Connection, mayUse, wantsTools } from "../server/Connection.ts"
import type { ConnectionHub } from "../server/ConnectionHub.ts"
import type { UserMessage } from "../sessions/messages.ts"
import { messageView } from "../sessions/messageView.ts"
import type { SessionEvents } from "../sessions/SessionEvents.ts"
import type { JsonObject } from "../wire/frames.ts"
import type { Turn, TurnEvents } from "./TurnEvents.ts"

/** The note about sender and time that the older generation puts in front of what a person typed. */
const wrapped = (text: string, timestamp: number) => {
  const time = DateTime.makeUnsafe(timestamp)
  const weekday = DateTime.formatUtc(time, { weekday: "short", locale: "en-US" })
  const stamp = `[${weekday} ${DateTime.formatIso(time).slice(0, 16).replace("T", " ")} UTC]`
  const sender = JSON.stringify({ label: "gateway-client", id: "gateway-client" }, null, 2)
  return `Sender (untrusted metadata):\n\`\`\`json\n${sender}\n\`\`\`\n\n${stamp} ${text}`
}

/** Turn events as wire protocol 3 sends them. */
export const oldTurnEvents = (hub: ConnectionHub, sessions: SessionEvents, now: () => number): TurnEvents => {
  const agent = (turn: Turn, stream: string, data: JsonObject) => {
    turn.seq += 1
    return { runId: turn.runId, stream, data, sessionKey: turn.session.key, seq: turn.seq, ts: now() }
  }
  const emitAgent = (turn: Turn, stream: string, data: JsonObject) =>
    hub.emitToReaders({ event: "agent", payload: agent(turn, stream, data) })
  const emitTool = (turn: Turn, data: JsonObject) => {
    const payload = agent(turn, "tool", data)
    const sender = (connection: Connection) => connection === turn.sender && wantsTools(connection)
    hub.emit({ event: "agent", payload, numbered: false }, sender)
    hub.emit(
      { event: "session.tool", payload, numbered: false },
      (connection) => connection.subscribed && mayUse(connection, "operator.read")
    )
  }
  const chat = (turn: Turn, state: string, fields: JsonObject = {}) =>
    hub.emitToReaders({
      event: "chat",
      payload: { runId: turn.runId, sessionKey: turn.session.key, seq: turn.seq, state, ...fields }
    })
  const shown = (text: string) => ({
    message: { role: "assistant", content: [{ type: "text", text }], timestamp: now() }
  })
  const delta = (turn: Turn) => {
    turn.lastDelta = turn.shown
    chat(turn, "delta", shown(turn.shown))
  }
  /** What a person typed, announced before it has an id. */
  const typed = (turn: Turn, user: UserMessage) => {
    const { text: content, timestamp, seq } = user
    const view = { role: "user", content, timestamp, __openclaw: { seq } }
    sessions.message(turn.session, user, turn.runId, { view, withId: false })
  }
  return {
    started: (turn, user) => {
      emitAgent(turn, "lifecycle", { phase: "start", startedAt: turn.startedAt })
      sessions.phase(turn.session, "start", { runId: turn.runId })
      if (user === undefined) return
      if (turn.kind === "chat") typed(turn, user)
      const { senderLabel: _, ...plain } = messageView(user, "old", "event")
      const text = turn.kind === "chat" ? wrapped(user.text, user.timestamp) : user.text
      const images = user.images.map((image) => ({ type: "image", data: image.data, mimeType: image.mimeType }))
      const view = { ...plain, content: [{ type: "text", text }, ...images] }
      sessions.message(turn.session, user, turn.runId, { view, withId: true })
    },
    modelStarted: () => undefined,
    thinking: () => undefined,
    assistant: (turn, text, piece) => emitAgent(turn, "assistant", { text, delta: piece }),
    delta,
    stored: (turn, message) => {
      if (message.role === "assistant") sessions.message(turn.session, message, turn.runId)
    },
    toolStarted: (turn, call) =>
      emitTool(turn, { phase: "start", name: call.name, toolCallId: call.id, args: call.args }),
    toolUpdated: (turn, call) => emitTool(turn, { phase: "update", name: call.name, toolCallId: call.id }),
    toolEnded: (turn, call, result) =>
      emitTool(turn, {
        phase: "result",
        name: call.name,
        toolCallId: call.id,
        meta: call.meta,
        isError: result.isError
      }),
    finished: (turn) => {
      emitAgent(turn, "lifecycle", { phase: "end", endedAt: now() })
      delta(turn)
      chat(turn, "final", shown(turn.shown))
      sessions.phase(turn.session, "end", { runId: turn.runId })
    },
    failed: (turn, message, error) => {
      sessions.message(turn.session, message, turn.runId)
      emitAgent(turn, "lifecycle", { phase: "error", error, endedAt: now() })
      chat(turn, "error", { errorMessage: error })
      sessions.phase(turn.session, "error", { runId: turn.runId })
    },
    aborted: (turn) => chat(turn, "aborted", { stopReason: "rpc", ...(turn.shown === "" ? {} : shown(turn.shown)) }),
    afterAbort: (turn, stored) => {
      for (const message of stored) sessions.message(turn.session, message, turn.runId)
    },
    queued: (turn) => chat(turn, "final"),
    injected: (turn, user, message) => {
      const { __openclaw: _, ...shownMessage } = messageView(message, "old", "event")
      chat(turn, "final", { message: shownMessage })
      typed(turn, user)
      sessions.message(turn.session, message, turn.runId)
    }
  }
}
