import { Schema } from "effect"
import type { PublishedEvent } from "../ConsoleEvent.ts"
import type { ConversationState } from "./conversation.ts"
import { Why } from "./failure.ts"
import { GatewayEntry } from "./gateway.ts"
import type { SessionRow, SessionsHead } from "./sessionRow.ts"

/** The only version of the frames so far. */
export const LIVE_VERSION = 1

/** What a channel shows. */
export const LIVE_TOPICS = ["events", "gateways", "sessions", "conversation"] as const
export type LiveTopic = (typeof LIVE_TOPICS)[number]

const frame = <const Name extends string, Fields extends Schema.Struct.Fields>(
  t: Name,
  description: string,
  fields: Fields
) => Schema.Struct({ t: Schema.Literal(t), ...fields }).annotate({ identifier: `live.${t}`, description })

/** A channel's number, of the client's choosing. */
const Channel = Schema.Int.check(Schema.isGreaterThan(0))
const Rate = Schema.Literals(["live", "slow"])
/** The epoch of a channel's state: what a client holds of another epoch doesn't count. */
const epoch = { e: Schema.String, s: Schema.Int }

/** The parameters of the topic `sessions`. */
const sessionsTopic = {
  /** How many at most, beside those that are always shown; 200 unless it's said. */
  limit: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))),
  /** Only those that were archived, or none of them. */
  archived: Schema.optionalKey(Schema.Boolean),
  /** Only those of this gateway. */
  gateway: Schema.optionalKey(Schema.String)
}

/** The frames that a client sends, by their `t`. */
export const clientFrames = {
  hello: frame("hello", "The first frame, within 10 seconds", {
    v: Schema.Literal(LIVE_VERSION),
    /** The client's build, as in the header `x-console-build`. */
    build: Schema.String,
    /** A random id of the tab. */
    tab: Schema.String,
    /** The primary gateway's token, or tokens by the ids of their gateways; only where sign-in is off and the client isn't on the console's machine. */
    gatewayToken: Schema.optionalKey(Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.String)]))
  }),
  open: frame("open", "Subscribes a channel; replaces what the channel was", {
    c: Channel,
    topic: Schema.Literals(LIVE_TOPICS),
    ...sessionsTopic,
    /** What the client still holds of the same state. */
    have: Schema.optionalKey(Schema.Struct(epoch)),
    /** The session of a conversation, among those of all gateways. */
    key: Schema.optionalKey(Schema.String),
    /** How often a conversation is sent; once a second to a tab that nobody sees. */
    rate: Schema.optionalKey(Rate)
  }),
  set: frame("set", "Changes a channel's parameters", {
    c: Channel,
    ...sessionsTopic,
    rate: Schema.optionalKey(Rate)
  }),
  close: frame("close", "Unsubscribes a channel", { c: Channel }),
  look: frame("look", "The session that a person looks at in this tab now; null while the tab is hidden", {
    key: Schema.NullOr(Schema.String)
  }),
  ping: frame("ping", "Answered by a tick with the same number", { n: Schema.Finite })
} as const

export type Hello = typeof clientFrames.hello.Type
export type ClientFrame = {
  readonly [T in keyof typeof clientFrames]: (typeof clientFrames)[T]["Type"]
}[keyof typeof clientFrames]

const Item = Schema.Record(Schema.String, Schema.Unknown)

/** One step of a patch; a list's items are named by their keys, never counted. */
export const PatchOp = Schema.Union([
  Schema.Struct({
    op: Schema.Literal("put"),
    item: Item,
    /** The item before which it belongs; without, it's the last one. */
    before: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({
    op: Schema.Literal("set"),
    key: Schema.String,
    fields: Item,
    unset: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  Schema.Struct({
    op: Schema.Literal("add"),
    key: Schema.String,
    field: Schema.Literals(["text", "output"]),
    /** The field's length so far. */
    at: Schema.Int,
    text: Schema.String
  }),
  Schema.Struct({ op: Schema.Literal("drop"), key: Schema.String })
]).annotate({ identifier: "live.op" })
export type PatchOp = typeof PatchOp.Type

/** What a client of the console may do; today everybody may do everything. */
export const RIGHTS = ["read", "talk", "manage", "own"] as const
export type Right = (typeof RIGHTS)[number]

/** The frames that the console sends, by their `t`. */
export const serverFrames = {
  welcome: frame("welcome", "The answer to hello", {
    v: Schema.Literal(LIVE_VERSION),
    build: Schema.String,
    /** Another one after a restart of the console. */
    boot: Schema.String,
    now: Schema.Finite,
    me: Schema.Struct({ rights: Schema.Array(Schema.Literals(RIGHTS)) }),
    limits: Schema.Struct({ channels: Schema.Int })
  }),
  snapshot: frame("snapshot", "The whole state of a channel", { c: Channel, ...epoch, state: Item }),
  same: frame("same", "What the client holds is still right", { c: Channel, ...epoch }),
  patch: frame("patch", "Changes a channel's state", {
    c: Channel,
    /** The state that the patch builds on; without it, the one before. */
    from: Schema.optionalKey(Schema.Int),
    s: Schema.Int,
    ops: Schema.optionalKey(Schema.Array(PatchOp)),
    /** Each field replaces the head's; null removes it. */
    head: Schema.optionalKey(Item)
  }),
  turn: frame("turn", "A turn of a conversation has ended, while the channel was open", {
    c: Channel,
    runId: Schema.String,
    outcome: Schema.Literals(["done", "error", "aborted"]),
    /** The keys of the turn's last item and of its question. */
    last: Schema.optionalKey(Schema.String),
    question: Schema.optionalKey(Schema.String),
    /** The tab that stopped it. */
    stoppedBy: Schema.optionalKey(Schema.String)
  }),
  event: frame("event", "An event, as `/api/events` sends it, while a channel with that topic is open", {
    event: Schema.String,
    data: Schema.Unknown,
    ts: Schema.Finite
  }),
  gone: frame("gone", "The channel is over, or can't be had", { c: Channel, why: Why }),
  tick: frame("tick", "Every 25 seconds, and in answer to ping", {
    n: Schema.optionalKey(Schema.Finite),
    now: Schema.Finite
  }),
  bye: frame("bye", "Why the console closes the connection", {
    why: Why,
    retryAfterMs: Schema.optionalKey(Schema.Finite)
  })
} as const

export type ServerFrame = {
  readonly [T in keyof typeof serverFrames]: (typeof serverFrames)[T]["Type"]
}[keyof typeof serverFrames]

/** What a gateway can do, by the last connection to it; nothing until the first. */
const Abilities = Schema.Struct({
  /** It takes messages back out of a conversation. */
  rewind: Schema.Boolean,
  /** It keeps what that removes as a version. */
  versions: Schema.Boolean,
  /** It passes a message to a running response. */
  steer: Schema.Boolean,
  /** It keeps marks of sessions. */
  marks: Schema.Boolean,
  /** It lists archived sessions apart. */
  archive: Schema.Boolean
})
export type GatewayAbilities = typeof Abilities.Type

/** A gateway as the topic `gateways` shows it. */
export const LiveGateway = Schema.Struct({
  ...GatewayEntry.fields,
  /** When the console tries to connect again. */
  retryAt: Schema.optionalKey(Schema.Finite),
  /** The key of its main session, among those of all gateways. */
  mainKey: Schema.optionalKey(Schema.String),
  /** When it started. */
  startedAt: Schema.optionalKey(Schema.Finite),
  can: Abilities,
  /** Bytes of the largest frame it takes. */
  maxPayload: Schema.optionalKey(Schema.Finite)
}).annotate({ identifier: "LiveGateway" })
export type LiveGateway = typeof LiveGateway.Type

/** The state of a channel by its topic. */
export type TopicStates = {
  readonly events: { readonly states: ReadonlyArray<PublishedEvent> }
  readonly gateways: { readonly items: ReadonlyArray<LiveGateway> }
  readonly sessions: { readonly items: ReadonlyArray<SessionRow>; readonly head: SessionsHead }
  readonly conversation: ConversationState
}
