import { Schema } from "effect"
import { OUTBOX_STATES } from "../outbox.ts"
import { Why } from "./failure.ts"

const base = {
  /** Stable for the item's life. */
  key: Schema.String,
  at: Schema.NullOr(Schema.Finite),
  /** The id of the history's message that it's from. */
  messageId: Schema.optionalKey(Schema.String)
}
const yes = Schema.optionalKey(Schema.Literal(true))

/** A picture, recording or file in a message. */
export const ConversationMedia = Schema.Struct({
  name: Schema.optionalKey(Schema.String),
  /** Where to load it from, below the console's own address; absent if it can't be had, or not yet. */
  src: Schema.optionalKey(Schema.String),
  type: Schema.Literals(["image", "audio", "video", "file", "link"]),
  /** It hasn't arrived yet. */
  pending: yes,
  problem: Schema.optionalKey(Schema.Literals(["NO_LONGER_AVAILABLE", "NOT_SHOWN", "ONLY_ON_GATEWAY"]))
}).annotate({ identifier: "ConversationMedia" })
export type ConversationMedia = typeof ConversationMedia.Type

const NOTES = ["GATEWAY", "SCHEDULED_JOB", "OTHER_SESSION", "TOO_LARGE_TO_LIST", "COMPACTED"] as const

const userItem = Schema.Struct({
  ...base,
  kind: Schema.Literal("user"),
  text: Schema.String,
  /** There's more of the text. */
  cut: yes,
  media: Schema.Array(ConversationMedia),
  delivery: Schema.Literals(["held", "sending", "queued", "sent", "failed", "unsure"]),
  why: Schema.optionalKey(Why),
  /** The gateway has it, and the agent hasn't read it yet. */
  read: Schema.optionalKey(Schema.Literal(false)),
  outboxId: Schema.optionalKey(Schema.String),
  /** While it's held: as the outbox has it. */
  waits: Schema.optionalKey(
    Schema.Struct({
      mode: Schema.String,
      notBefore: Schema.optionalKey(Schema.Finite),
      position: Schema.Int,
      state: Schema.Literals(OUTBOX_STATES)
    })
  )
})

const assistantItem = Schema.Struct({
  ...base,
  kind: Schema.Literal("assistant"),
  text: Schema.String,
  cut: yes,
  streaming: Schema.Boolean,
  model: Schema.optionalKey(Schema.String),
  /** The gateway's own note or response to a command. */
  injected: yes,
  media: Schema.optionalKey(Schema.Array(ConversationMedia)),
  usage: Schema.optionalKey(
    Schema.Struct({ input: Schema.Finite, output: Schema.Finite, cost: Schema.optionalKey(Schema.Finite) })
  )
})

const toolItem = Schema.Struct({
  ...base,
  kind: Schema.Literal("tool"),
  callId: Schema.String,
  name: Schema.String,
  title: Schema.optionalKey(Schema.String),
  /** As the agent gave them; the beginning of their JSON where that is above 64 KB. */
  args: Schema.Unknown,
  output: Schema.String,
  /** Bytes of the whole, where it's cut; an output that the gateway itself cut has those that came. */
  cut: Schema.optionalKey(
    Schema.Struct({ args: Schema.optionalKey(Schema.Int), output: Schema.optionalKey(Schema.Int) })
  ),
  status: Schema.Literals(["running", "done", "denied", "error", "aborted"]),
  startedAt: Schema.optionalKey(Schema.Finite),
  durationMs: Schema.optionalKey(Schema.Finite)
})

/** An item of a conversation. */
export const ConversationItem = Schema.Union([
  userItem,
  assistantItem,
  Schema.Struct({ ...base, kind: Schema.Literal("thinking"), text: Schema.String, streaming: Schema.Boolean }),
  toolItem,
  Schema.Struct({
    ...base,
    kind: Schema.Literal("note"),
    from: Schema.Union([Schema.Struct({ code: Schema.Literals(NOTES) }), Schema.Struct({ name: Schema.String })]),
    text: Schema.optionalKey(Schema.String),
    code: Schema.optionalKey(Schema.Literals(NOTES))
  }),
  Schema.Struct({ ...base, kind: Schema.Literal("error"), why: Why }),
  Schema.Struct({ ...base, kind: Schema.Literal("aborted") })
]).annotate({ identifier: "ConversationItem" })
export type ConversationItem = typeof ConversationItem.Type

/** What a conversation has besides its items. */
export const ConversationHead = Schema.Struct({
  status: Schema.Literals(["loading", "ready", "failed"]),
  why: Schema.optionalKey(Why),
  /** The gateway is connected. */
  linked: Schema.Boolean,
  deleted: Schema.Boolean,
  /** The gateway knows no such session. */
  unknown: Schema.Boolean,
  activity: Schema.Literals(["IDLE", "THINKING", "STREAMING", "DONE"]),
  running: Schema.Boolean,
  stopping: Schema.Boolean,
  /** What the gateway does before the model starts, in its own word. */
  phase: Schema.optionalKey(Schema.String),
  /** Messages that wait for their turn. */
  queued: Schema.Int,
  /** The cursor of what comes before the first item; absent at the beginning of the conversation. */
  older: Schema.optionalKey(Schema.String),
  versions: Schema.Array(
    Schema.Struct({ messageId: Schema.String, leaves: Schema.Array(Schema.NullOr(Schema.String)) })
  ),
  tips: Schema.Array(
    Schema.Struct({ leaf: Schema.String, headline: Schema.String, messages: Schema.Int, at: Schema.Finite })
  ),
  can: Schema.Struct({
    steer: Schema.Boolean,
    rewind: Schema.Boolean,
    versions: Schema.Boolean,
    /** Bytes of what may be attached to a message. */
    attach: Schema.Int
  })
}).annotate({ identifier: "ConversationHead" })
export type ConversationHead = typeof ConversationHead.Type

/** A conversation as the topic `conversation` shows it. */
export const ConversationState = Schema.Struct({
  items: Schema.Array(ConversationItem),
  head: ConversationHead
}).annotate({ identifier: "ConversationState" })
export type ConversationState = typeof ConversationState.Type

/** The conversation of a session, and the number of its state. */
export const NumberedConversation = Schema.Struct({ e: Schema.String, s: Schema.Int, state: ConversationState })

/** What comes before a cursor. */
export const OlderItems = Schema.Struct({
  items: Schema.Array(ConversationItem),
  /** The cursor of what comes before these; null at the beginning of the conversation. */
  older: Schema.NullOr(Schema.String)
})
