import type { Generation } from "../Generation.ts"
import type { Connection } from "../server/Connection.ts"
import { mayUse } from "../server/Connection.ts"
import type { ConnectionHub } from "../server/ConnectionHub.ts"
import type { JsonObject } from "../wire/frames.ts"
import type { Message } from "./messages.ts"
import { agentIdOf, type Session, type SessionStore } from "./SessionStore.ts"

const subscribed = (connection: Connection) => connection.subscribed && mayUse(connection, "operator.read")

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
    return this.generation.row(session, this.store, this.now())
  }

  /** A run moved on: `phase` is `start`, `message`, `model`, `end` or `error`. */
  phase(session: Session, phase: string, fields: JsonObject = {}): void {
    this.changed(session, { phase, ...fields })
  }

  /** Something else changed the session: `patch`, `create`, `send`, `reset`, … */
  reason(session: Session, reason: string): void {
    this.changed(session, { reason })
  }

  /** A session was deleted. */
  deleted(session: Session): void {
    const about = { sessionKey: session.key, agentId: agentIdOf(session.key) }
    this.send("sessions.changed", { ...about, reason: "delete", ts: this.now() }, subscribed)
  }

  /**
   * A message was stored. `shown` replaces its usual shape, for one that is announced before it has an id.
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
    const fresh = message.role === "user"
    const payload = {
      sessionKey: session.key,
      ...(fresh && message.source === undefined ? { senderIsOwner: true } : {}),
      agentId: agentIdOf(session.key),
      message: shown?.view ?? this.generation.message(message, "event"),
      ...identity,
      messageSeq: message.seq,
      ...this.generation.facts(row),
      ...(!fresh && runId !== undefined ? { runId } : {}),
      session: row
    }
    this.send("session.message", payload, wants)
    if (this.generation.announcesMessages) this.phase(session, "message", { ...identity, messageSeq: message.seq })
  }

  private changed(session: Session, fields: JsonObject): void {
    if (![...this.hub.connections].some(subscribed)) return
    const row = this.row(session)
    this.send(
      "sessions.changed",
      {
        sessionKey: session.key,
        agentId: agentIdOf(session.key),
        ...fields,
        ts: this.now(),
        ...(session.status === undefined ? {} : { status: session.status }),
        ...this.generation.facts(row),
        ancestorSessions: [],
        session: row
      },
      subscribed
    )
  }

  private send(event: string, payload: JsonObject, audience: (connection: Connection) => boolean): void {
    this.hub.emit({ event, payload, numbered: false }, audience)
  }
}
