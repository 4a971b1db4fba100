import { Option, Schema } from "effect"
import type { GatewayEvent } from "../client/gatewayFrames.ts"
import { type AgentQuestion, readQuestion, readSettledQuestion } from "./agentQuestion.ts"
import { type CronRunEnd, readCronEnd } from "./cronRuns.ts"
import { type FeedMessage, ResponseEnd, readMessage } from "./feedMessage.ts"

/** What asks: a command, a plugin, or the gateway's own agent that wants to change its settings. */
const APPROVAL_KINDS = ["exec", "plugin", "system-agent"] as const

const ApprovalKind = Schema.Literals(APPROVAL_KINDS)

type ApprovalKind = typeof ApprovalKind.Type

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))

/** What a person needs to know to decide. */
const ApprovalRequest = Schema.Struct({
  sessionKey: Text,
  agentId: Text,
  command: Text,
  commandPreview: Text,
  cwd: Text,
  host: Text,
  title: Text,
  description: Text,
  /** Absent if every decision is possible. */
  allowedDecisions: Schema.optionalKey(Schema.Array(Schema.String))
})

const fields = {
  id: Schema.NonEmptyString,
  request: ApprovalRequest,
  /** Epoch milliseconds. */
  createdAtMs: Schema.Finite,
  expiresAtMs: Schema.Finite
}

/** An action that needs a person's approval. */
export const PendingApproval = Schema.Struct({ ...fields, kind: ApprovalKind })

export type PendingApproval = typeof PendingApproval.Type

const decode = Schema.decodeUnknownOption(Schema.Struct(fields))

/** An approval as the gateway announces and lists it; `undefined` for anything else. */
const readApproval = (kind: ApprovalKind, payload: unknown): PendingApproval | undefined =>
  Option.getOrUndefined(Option.map(decode(payload), (approval) => ({ ...approval, kind })))

/** Prefix of the gateway's events and methods for each kind of approval. */
export const APPROVAL_PREFIXES: Readonly<Record<ApprovalKind, string>> = {
  exec: "exec.approval",
  plugin: "plugin.approval",
  "system-agent": "openclaw.approval"
}

/** A device that asks to be admitted, as announced and listed by the gateway. */
export const PairingRequest = Schema.Struct({
  requestId: Schema.NonEmptyString,
  deviceId: Schema.String,
  displayName: Text,
  platform: Text,
  clientId: Text,
  clientMode: Text,
  role: Text,
  scopes: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  /** It was admitted before and asks for more. */
  isRepair: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  /** Epoch milliseconds. */
  ts: Schema.optionalKey(Schema.Finite)
})
export type PairingRequest = typeof PairingRequest.Type

const SettledPairing = Schema.Struct({ requestId: Schema.NonEmptyString, decision: Text })

const readPairing = (payload: unknown): PairingRequest | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(PairingRequest)(payload))

const readSettledPairing = (payload: unknown): typeof SettledPairing.Type | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(SettledPairing)(payload))

/** What asks a person: each has its own list at the gateway. */
export const ASK_ORIGINS = [...APPROVAL_KINDS, "question", "pairing"] as const
export type AskOrigin = (typeof ASK_ORIGINS)[number]

/** Something that waits for a person at the gateway. */
export type Ask =
  | { readonly origin: ApprovalKind; readonly id: string; readonly approval: PendingApproval }
  | { readonly origin: "question"; readonly id: string; readonly question: AgentQuestion }
  | { readonly origin: "pairing"; readonly id: string; readonly request: PairingRequest }

/** The gateway's events, decoded. */
export type FeedEvent =
  /** The connection is up, or up again; `lists` is what the gateway can list. */
  | {
      readonly _tag: "Linked"
      readonly gatewayStartedAt: number | undefined
      readonly lists: ReadonlySet<AskOrigin>
    }
  | { readonly _tag: "Asked"; readonly ask: Ask }
  /** `outcome` is the gateway's word for how it ended; `undefined` where it doesn't say. */
  | {
      readonly _tag: "Settled"
      readonly origin: AskOrigin
      readonly id: string
      readonly outcome: string | undefined
      /** What a question was answered with, by its parts. */
      readonly answers?: Readonly<Record<string, ReadonlyArray<string>>> | undefined
    }
  /** The open requests of an origin, without those reported while the list was being read (`told`). */
  | {
      readonly _tag: "Listed"
      readonly origin: AskOrigin
      readonly asks: ReadonlyArray<Ask>
      readonly newer: ReadonlySet<string>
    }
  /** A message of a session, with what it cost. */
  | { readonly _tag: "Said"; readonly said: FeedMessage }
  | { readonly _tag: "CronEnded"; readonly run: CronRunEnd }
  /**
   * Something about a session has changed; `at` is the gateway's time. A rewritten one was restarted or reset, so
   * messages were deleted.
   */
  | {
      readonly _tag: "SessionChanged"
      readonly sessionKey: string
      readonly isDeleted: boolean
      readonly isRewritten: boolean
      /** It was restarted. */
      readonly isCleared: boolean
      /** The session that spawned it, where the gateway says. */
      readonly spawnedBy: string | undefined
      readonly at: number
    }
  /** A response has begun, to any client's message. */
  | { readonly _tag: "ResponseBegan"; readonly sessionKey: string; readonly runId: string }
  /** A response is over, whole or not. */
  | { readonly _tag: "ResponseEnded"; readonly end: ResponseEnd }

const decodeSettled = Schema.decodeUnknownOption(
  Schema.Struct({ id: Schema.NonEmptyString, decision: Schema.optionalKey(Schema.NullOr(Schema.String)) })
)

/** An entry of a list, or what an event asks. */
export const readAsk = (origin: AskOrigin, payload: unknown): Ask | undefined => {
  switch (origin) {
    case "question": {
      const question = readQuestion(payload)
      return question && { origin, id: question.id, question }
    }
    case "pairing": {
      const request = readPairing(payload)
      return request && { origin, id: request.requestId, request }
    }
    default: {
      const approval = readApproval(origin, payload)
      return approval && { origin, id: approval.id, approval }
    }
  }
}

const readSettled = (origin: AskOrigin, payload: unknown): FeedEvent | undefined => {
  if (origin === "question") {
    const found = readSettledQuestion(payload)
    return found && { _tag: "Settled", origin, id: found.id, outcome: found.status, answers: found.answers }
  }
  if (origin === "pairing") {
    const found = readSettledPairing(payload)
    return found && { _tag: "Settled", origin, id: found.requestId, outcome: found.decision ?? undefined }
  }
  const found = Option.getOrUndefined(decodeSettled(payload))
  return found && { _tag: "Settled", origin, id: found.id, outcome: found.decision ?? undefined }
}

const asked =
  (origin: AskOrigin) =>
  (payload: unknown): FeedEvent | undefined => {
    const ask = readAsk(origin, payload)
    return ask && { _tag: "Asked", ask }
  }

const settled = (origin: AskOrigin) => (payload: unknown) => readSettled(origin, payload)

const decodeChange = Schema.decodeUnknownOption(
  Schema.Struct({
    sessionKey: Schema.NonEmptyString,
    reason: Schema.optionalKey(Schema.NullOr(Schema.String)),
    session: Schema.optionalKey(Schema.NullOr(Schema.Struct({ spawnedBy: Text }))),
    spawnedBy: Text,
    ts: Schema.optionalKey(Schema.Finite)
  })
)

const readChange = (payload: unknown): FeedEvent | undefined => {
  const found = Option.getOrUndefined(decodeChange(payload))
  if (found === undefined) return undefined
  const { reason, sessionKey, ts } = found
  const isRewritten = ["reset", "rewind", "branch-switch"].includes(reason ?? "")
  return {
    _tag: "SessionChanged",
    sessionKey,
    isDeleted: reason === "delete",
    isRewritten,
    isCleared: reason === "reset",
    spawnedBy: found.session?.spawnedBy ?? found.spawnedBy ?? undefined,
    at: ts ?? 0
  }
}

const decodeBegin = Schema.decodeUnknownOption(
  Schema.Struct({
    runId: Schema.NonEmptyString,
    sessionKey: Schema.NonEmptyString,
    isHeartbeat: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
    data: Schema.Struct({ phase: Schema.Literal("start") })
  })
)

/** Most frames of a response are a few of its letters: those are recognised before anything is decoded. */
const readBegin = (payload: unknown): FeedEvent | undefined => {
  if (typeof payload !== "object" || payload === null || !("stream" in payload) || payload.stream !== "lifecycle")
    return undefined
  const found = Option.getOrUndefined(decodeBegin(payload))
  if (found === undefined || found.isHeartbeat === true) return undefined
  return { _tag: "ResponseBegan", sessionKey: found.sessionKey, runId: found.runId }
}

const decodeEnd = Schema.decodeUnknownOption(ResponseEnd)

const READERS: ReadonlyMap<string, (payload: unknown) => FeedEvent | undefined> = new Map<
  string,
  (payload: unknown) => FeedEvent | undefined
>([
  [
    "session.message",
    (payload) => {
      const said = readMessage(payload)
      return said && { _tag: "Said", said }
    }
  ],
  [
    "cron",
    (payload) => {
      const run = readCronEnd(payload)
      return run && { _tag: "CronEnded", run }
    }
  ],
  [
    "chat",
    (payload) => {
      const end = Option.getOrUndefined(decodeEnd(payload))
      return end && { _tag: "ResponseEnded", end }
    }
  ],
  ["agent", readBegin],
  ["sessions.changed", readChange],
  ["question.requested", asked("question")],
  ["question.resolved", settled("question")],
  ["device.pair.requested", asked("pairing")],
  ["device.pair.resolved", settled("pairing")],
  ...APPROVAL_KINDS.flatMap((kind) => [
    [`${APPROVAL_PREFIXES[kind]}.requested`, asked(kind)] as const,
    [`${APPROVAL_PREFIXES[kind]}.resolved`, settled(kind)] as const
  ])
])

/** An event frame as the feed emits it; `undefined` for what it leaves out or can't read. */
export const readFeedEvent = ({ event, payload }: GatewayEvent): FeedEvent | undefined => READERS.get(event)?.(payload)
