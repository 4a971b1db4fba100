import { Schema } from "effect"
import { failure } from "../failures.ts"
import { Why } from "./failure.ts"
import { clearable, filledText, flag, maybe, required } from "./fields.ts"
import { MAX_GROUP, SessionKey } from "./session.ts"

/** Sessions that are shown unless a client says how many. */
export const DEFAULT_SESSIONS = 200
/** The most that are shown at once. */
export const MAX_SESSIONS = 2_000

export const SESSION_KINDS = ["main", "direct", "group", "cron", "subagent", "other"] as const

/** What a session is doing: the first that holds. */
export const SESSION_STATES = ["waiting", "denied", "working", "error", "unread", "idle"] as const

const text = Schema.optionalKey(Schema.String)
const amount = Schema.optionalKey(Schema.Finite)

/** A session in the list. */
export const SessionRow = Schema.Struct({
  /** Among those of all gateways (`qualifiedKey`). */
  key: Schema.String,
  gatewayId: Schema.String,
  sessionId: text,
  agentId: Schema.String,
  kind: Schema.Literals(SESSION_KINDS),
  /** The name that a person gave it. */
  name: text,
  /** The first words of the conversation, or what its gateway made of them. */
  title: text,
  /** The last words. */
  preview: text,
  /** The session whose run began it, or the job of a scheduled run. */
  parentKey: text,
  state: Schema.Literals(SESSION_STATES),
  /** A run is in progress, even while it waits for a person. */
  running: Schema.Boolean,
  /** The last run ended with an error; `state` says so until a person has seen it. */
  failed: Schema.Boolean,
  /** What the last run asked for wasn't allowed; `state` says so until a person has seen it. */
  denied: Schema.Boolean,
  unread: Schema.Boolean,
  pinned: Schema.Boolean,
  archived: Schema.Boolean,
  group: text,
  /** When something last happened in it, in the gateway's time like all others. */
  updatedAt: Schema.Finite,
  startedAt: amount,
  endedAt: amount,
  model: text,
  provider: text,
  thinking: text,
  /** The levels of thinking that its model has. */
  thinkingLevels: Schema.Array(Schema.Struct({ id: Schema.String, label: Schema.String })),
  /** What the conversation has in the model's context. */
  tokens: amount,
  /** What there's room for. */
  context: amount,
  /** US dollars by the gateway's estimate. */
  cost: amount
}).annotate({ identifier: "SessionRow" })
export type SessionRow = typeof SessionRow.Type

/** How a gateway's list stands; `why` if it couldn't be read. */
const ListState = Schema.Struct({
  state: Schema.Literals(["loading", "ready", "failed"]),
  why: Schema.optionalKey(Why)
})
export type ListState = typeof ListState.Type

/** What is known of the list as a whole. */
export const SessionsHead = Schema.Struct({
  /** By the gateways' ids. */
  gateways: Schema.Record(Schema.String, ListState),
  /** There are more sessions than are shown. */
  more: Schema.Boolean,
  /** How many have an end that nobody has seen. */
  unread: Schema.Int
}).annotate({ identifier: "SessionsHead" })
export type SessionsHead = typeof SessionsHead.Type

/** A page of `GET /api/sessions`, the latest first; without `cursor` it's the last one. */
export const SessionPage = Schema.Struct({ sessions: Schema.Array(SessionRow), cursor: text }).annotate({
  identifier: "SessionPage"
})
export type SessionPage = typeof SessionPage.Type

const cleared = (max: number) => clearable(filledText(max), { message: `must be 1 to ${max} characters, or null` })

/** Body of `PATCH /api/sessions`; `null` restores the default, or takes a session out of its group. */
export const SessionPatch = Schema.Struct({
  sessionKey: required(SessionKey),
  label: cleared(200),
  model: cleared(200),
  thinking: cleared(50),
  pinned: maybe(flag),
  archived: maybe(flag),
  group: cleared(MAX_GROUP),
  /** Everything that has ended in it was seen. */
  seen: maybe(flag)
})
  .annotate(failure("MUST_BE_A_JSON_OBJECT"))
  .check(
    Schema.makeFilter(({ sessionKey: _, ...changes }) =>
      Object.values(changes).every((value) => value === undefined)
        ? { path: ["label"], issue: "label, model, thinking, pinned, archived, group or seen is required" }
        : undefined
    )
  )
export type SessionPatch = typeof SessionPatch.Type
