import { Effect, Option, Schema } from "effect"

/** A field that's left out where a gateway has something else in it: one such field doesn't hide a session. */
const loose = <S extends Schema.Decoder<unknown>>(schema: S) =>
  Schema.optionalKey(Schema.NullOr(schema).pipe(Schema.catchDecoding(() => Effect.succeedNone)))

const text = loose(Schema.String)
const number = loose(Schema.Finite)
const flag = loose(Schema.Boolean)

const Level = Schema.Struct({ id: Schema.NonEmptyString, label: text })

const facts = {
  sessionId: text,
  kind: text,
  classification: text,
  label: text,
  derivedTitle: text,
  displayName: text,
  lastMessagePreview: text,
  spawnedBy: text,
  spawnDepth: number,
  parentSessionKey: text,
  status: text,
  hasActiveRun: flag,
  unread: flag,
  pinned: flag,
  archived: flag,
  category: text,
  createdAt: number,
  updatedAt: number,
  lastActivityAt: number,
  lastInteractionAt: number,
  startedAt: number,
  endedAt: number,
  model: text,
  modelProvider: text,
  thinkingLevel: text,
  thinkingLevels: loose(Schema.Array(Level)),
  totalTokens: number,
  totalTokensFresh: flag,
  contextTokens: number,
  estimatedCostUsd: number
}

/** What the console reads of a session's row; a row has much more. */
export const ListedSession = Schema.Struct({ key: Schema.NonEmptyString, ...facts })
export type ListedSession = typeof ListedSession.Type

/** The same of an event, which may leave fields out. */
const SessionFacts = Schema.Struct(facts)
export type SessionFacts = typeof SessionFacts.Type

const decodeFacts = Schema.decodeUnknownOption(SessionFacts)

/** A `sessions.changed` event: what happened, and what it says of the session. */
export interface SessionEvent {
  readonly key: string
  /** Why it was sent, such as `delete` or `reset`. */
  readonly reason: string | undefined
  /** Which part of a turn it's about, such as `start` or `message`. */
  readonly phase: string | undefined
  readonly facts: SessionFacts
}

const Envelope = Schema.Struct({
  sessionKey: text,
  reason: text,
  phase: text,
  session: Schema.optional(Schema.Unknown)
})
const decodeEnvelope = Schema.decodeUnknownOption(Envelope)
const decodeKey = Schema.decodeUnknownOption(Schema.Struct({ key: Schema.NonEmptyString }))

/** Reads such an event; what stands in the session's own row counts more than what stands beside it. */
export const readSessionEvent = (payload: unknown): SessionEvent | undefined => {
  const envelope = Option.getOrUndefined(decodeEnvelope(payload))
  if (envelope === undefined) return undefined
  const { phase, reason, session, sessionKey } = envelope
  const key = sessionKey || Option.getOrUndefined(decodeKey(session))?.key
  if (key === undefined) return undefined
  const beside = Option.getOrElse(decodeFacts(payload), () => ({}))
  const row = Option.getOrElse(decodeFacts(session), () => ({}))
  return { key, reason: reason ?? undefined, phase: phase ?? undefined, facts: { ...beside, ...row } }
}
