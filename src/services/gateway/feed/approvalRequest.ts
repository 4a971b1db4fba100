import { Option, Schema } from "effect"

/** What asks: a command, a plugin, or the gateway's own agent that wants to change its settings. */
export const APPROVAL_KINDS = ["exec", "plugin", "system-agent"] as const

const ApprovalKind = Schema.Literals(APPROVAL_KINDS)

export type ApprovalKind = typeof ApprovalKind.Type

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
export const readApproval = (kind: ApprovalKind, payload: unknown): PendingApproval | undefined =>
  Option.getOrUndefined(Option.map(decode(payload), (approval) => ({ ...approval, kind })))
