import { Effect } from "effect"
import type { Turn, TurnEvents } from "../src/chat/TurnEvents.ts"
import type { TurnEventParts } from "../src/makeGateway.ts"
import { type Connection, mayUse, wantsTools } from "../src/server/Connection.ts"
import type { Message, UserMessage } from "../src/sessions/messages.ts"
import type { JsonObject } from "../src/wire/frames.ts"
import { olderMessage, wrappedContent } from "./olderMessages.ts"

/** What is stored of a turn that failed because of a rate limit. */
export const RATE_LIMITED = "429 the demo was asked to slow down"
/** Attempts after a rate limit, and the pause before each. */
const ATTEMPTS = 2
const ATTEMPT_MS = 200

/** Turn events in wire protocol 3. */
export const olderTurnEvents = ({ fork, hub, now, sessions, store }: TurnEventParts): TurnEvents => {
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
  /** A person's message, announced before it has an id. */
  const typed = (turn: Turn, user: UserMessage) => {
    const { text: content, timestamp, seq } = user
    const view = { role: "user", content, timestamp, __openclaw: { seq } }
    sessions.message(turn.session, user, turn.runId, { view, withId: false })
  }
  /** Every further attempt fails too, and is kept. */
  const attemptInVain = ({ runId, session }: Turn, failed: Message) => {
    const attempt = Effect.sync(() => {
      if (store.sessions.get(session.key) !== session) return
      const message = { ...failed, ...store.stamp(session), timestamp: now() }
      store.append(session, message)
      sessions.message(session, message, runId)
    })
    fork(Effect.repeat(Effect.delay(attempt, ATTEMPT_MS), { times: ATTEMPTS - 1 }))
  }
  return {
    started: (turn, user) => {
      emitAgent(turn, "lifecycle", { phase: "start", startedAt: turn.startedAt })
      sessions.phase(turn.session, "start", { runId: turn.runId })
      if (user === undefined) return
      if (turn.kind === "chat") typed(turn, user)
      const { senderLabel: _, ...plain } = olderMessage(user, "event")
      const view = turn.kind === "chat" ? { ...plain, content: wrappedContent(user) } : plain
      sessions.message(turn.session, user, turn.runId, { view, withId: true })
    },
    modelStarted: () => undefined,
    thinking: () => undefined,
    assistant: (turn, text, piece) => emitAgent(turn, "assistant", { text, delta: piece }),
    media: (turn, [path = ""]) => {
      // The line that sends a file is cut out while it is streamed, but of a relative path its beginning slips through.
      if (path.startsWith("/")) {
        emitAgent(turn, "assistant", { text: turn.part, delta: "", mediaUrls: [path.slice(0, 3)] })
        return
      }
      const begun = `${turn.part === "" ? "" : "\n"}MEDIA:.`
      turn.part += begun
      turn.shown += begun
      emitAgent(turn, "assistant", { text: turn.part, delta: begun })
    },
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
      if (turn.shown !== "") delta(turn)
      chat(turn, "final", turn.shown === "" ? {} : shown(turn.shown))
      sessions.phase(turn.session, "end", { runId: turn.runId })
    },
    failed: (turn, message, error, reason) => {
      sessions.message(turn.session, message, turn.runId)
      emitAgent(turn, "lifecycle", { phase: "error", error, endedAt: now() })
      chat(turn, "error", { errorMessage: error })
      sessions.phase(turn.session, "error", { runId: turn.runId })
      if (reason === "rate_limit") attemptInVain(turn, message)
    },
    aborted: (turn) => chat(turn, "aborted", { stopReason: "rpc", ...(turn.shown === "" ? {} : shown(turn.shown)) }),
    afterAbort: (turn, stored) => {
      for (const message of stored) sessions.message(turn.session, message, turn.runId)
    },
    queued: (turn) => chat(turn, "final"),
    unaccepted: (turn, why) => chat(turn, "error", { errorMessage: why }),
    injected: (turn, user, message) => {
      const { __openclaw: _, ...shownMessage } = olderMessage(message, "event")
      chat(turn, "final", { message: shownMessage })
      typed(turn, user)
      sessions.message(turn.session, message, turn.runId)
    }
  }
}
