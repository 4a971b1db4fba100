import type { Connection } from "../server/Connection.ts"
import { mayUse } from "../server/Connection.ts"
import type { ConnectionHub } from "../server/ConnectionHub.ts"
import type { JsonObject } from "../wire/frames.ts"
import type { Generation } from "../wire/generations.ts"
import type { Message } from "./messages.ts"
import { messageView } from "./messageView.ts"
import { agentIdOf, type Session, type SessionStore } from "./SessionStore.ts"
import { sessionFacts, sessionRow } from "./sessionRow.ts"

const subscribed = (connection: Connection) => connection.subscribed && mayUse(connection, "operator.read")

/** What the older generation repeats of a row when a run begins or ends. */
const RUN_FACTS = [
  "abortedLastRun",
  "contextTokens",
  "endedAt",
  "estimatedCostUsd",
  "model",
  "modelProvider",
  "runtimeMs",
  "startedAt",
  "totalTokens",
  "totalTokensFresh",
  "updatedAt"
]

const factsBeside = (row: JsonObject, generation: Generation, { phase }: JsonObject): JsonObject => {
  const facts = sessionFacts(row, generation)
  if (generation === "new") return { ...facts, ancestorSessions: [] }
  return phase === "message"
    ? facts
    : Object.fromEntries(Object.entries(facts).filter(([key]) => RUN_FACTS.includes(key)))
}

/** Sends `sessions.changed` and `session.message` to those who asked for them. */
export class SessionEvents {
  private readonly hub: ConnectionHub
  private readonly store: SessionStore
  private readonly generation: Generation
  private readonly now: () => number

  constructor(options: {
    readonly hub: ConnectionHub
    readonly store: SessionStore
    readonly generation: Generation
    readonly now: () => number
  }) {
    this.hub = options.hub
    this.store = options.store
    this.generation = options.generation
    this.now = options.now
  }

  /** The session's current row. */
  row(session: Session): JsonObject {
    return sessionRow(session, { generation: this.generation, store: this.store, now: this.now() })
  }

  /** A run moved on: `phase` is `start`, `message`, `model`, `end` or `error`. */
  phase(session: Session, phase: string, fields: JsonObject = {}): void {
    this.changed(session, { phase, ...fields }, true)
  }

  /** Something else changed the session: `patch`, `create`, `send`, `reset`, … */
  reason(session: Session, reason: string): void {
    this.changed(session, { reason }, this.generation === "new")
  }

  /** A session was deleted. */
  deleted(session: Session): void {
    const agent = this.generation === "new" ? { agentId: agentIdOf(session.key) } : {}
    this.send("sessions.changed", { sessionKey: session.key, ...agent, reason: "delete", ts: this.now() }, subscribed)
  }

  /**
   * A message was stored. `shown` replaces its usual shape; the older generation also announces what a person typed
   * before it has an id.
   */
  message(
    session: Session,
    message: Message,
    runId: string | undefined,
    shown?: { readonly view: JsonObject; readonly withId: boolean }
  ): void {
    const identity = shown?.withId === false ? {} : { messageId: message.id }
    const wants = (connection: Connection) =>
      (connection.subscribed || connection.messageKeys.has(session.key)) && mayUse(connection, "operator.read")
    if (![...this.hub.connections].some(wants)) return
    const row = this.row(session)
    const fresh = this.generation === "new" && message.role === "user"
    const payload = {
      sessionKey: session.key,
      ...(fresh && message.source === undefined ? { senderIsOwner: true } : {}),
      ...(this.generation === "new" ? { agentId: agentIdOf(session.key) } : {}),
      message: shown?.view ?? messageView(message, this.generation, "event"),
      ...identity,
      messageSeq: message.seq,
      ...sessionFacts(row, this.generation),
      ...(this.generation === "new" && !fresh && runId !== undefined ? { runId } : {}),
      session: row
    }
    this.send("session.message", payload, wants)
    if (this.generation === "old") this.phase(session, "message", { ...identity, messageSeq: message.seq })
  }

  private changed(session: Session, fields: JsonObject, withRow: boolean): void {
    if (![...this.hub.connections].some(subscribed)) return
    const row = this.row(session)
    const { key: _key, ...all } = row
    const facts = withRow ? factsBeside(row, this.generation, fields) : all
    this.send(
      "sessions.changed",
      {
        sessionKey: session.key,
        ...(this.generation === "new" ? { agentId: agentIdOf(session.key) } : {}),
        ...fields,
        ts: this.now(),
        ...(session.status === undefined ? {} : { status: session.status }),
        ...facts,
        ...(withRow ? { session: row } : {})
      },
      subscribed
    )
  }

  private send(event: string, payload: JsonObject, audience: (connection: Connection) => boolean): void {
    this.hub.emit({ event, payload, numbered: false }, audience)
  }
}
