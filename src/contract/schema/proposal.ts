import { Schema } from "effect"
import { failure } from "../failures.ts"
import { body, epochMillis, filledText, maybe, oneOf, required } from "./fields.ts"
import { Note, SessionKey, Version } from "./task.ts"
import { CreatePayload, UpdatePayload } from "./taskInputs.ts"

export const PROPOSAL_STATUSES = ["pending", "approved", "rejected"] as const
export const ProposalStatus = oneOf(PROPOSAL_STATUSES)
export type ProposalStatus = typeof ProposalStatus.Type

const common = {
  id: Schema.String,
  sourceSessionKey: Schema.optionalKey(Schema.String),
  proposedBy: Schema.String,
  proposedAt: epochMillis,
  status: ProposalStatus,
  version: Version,
  resolvedAt: Schema.optionalKey(epochMillis),
  reason: Schema.optionalKey(Schema.String)
}

/** A requested change. */
export const Proposal = Schema.Union([
  Schema.Struct({ ...common, type: Schema.Literal("create"), payload: CreatePayload }),
  Schema.Struct({ ...common, type: Schema.Literal("update"), payload: UpdatePayload })
]).annotate({ identifier: "Proposal" })
export type Proposal = typeof Proposal.Type

/** The decoded request, the same for the route and markers. */
export const Ask = Schema.Union([
  Schema.Struct({ type: Schema.Literal("create"), payload: CreatePayload }),
  Schema.Struct({ type: Schema.Literal("update"), payload: UpdatePayload })
])
export type Ask = typeof Ask.Type

/** Who proposes it, and from which session. */
export interface AskedBy {
  readonly proposedBy: string
  readonly sourceSessionKey?: string
}

const source = { sourceSessionKey: maybe(SessionKey), proposedBy: maybe(filledText(200)) }

/** Body of `POST /api/kanban/proposals` before the payload is decoded. */
export const ProposalEnvelope = body({
  type: required(oneOf(["create", "update"])),
  payload: required(Schema.Record(Schema.String, Schema.Unknown).annotate(failure("MUST_BE_A_JSON_OBJECT"))),
  ...source
})
export type ProposalEnvelope = typeof ProposalEnvelope.Type

/** Body of `POST /api/kanban/proposals/:id/reject`. */
export const RejectProposal = body({ reason: maybe(Note) })
export type RejectProposal = typeof RejectProposal.Type

/** Answer of `POST /api/kanban/proposals/:id/approve`. */
export const ApprovedProposal = Schema.Struct({
  proposal: Schema.Struct({
    id: Schema.String,
    status: ProposalStatus,
    resolvedAt: Schema.optionalKey(Schema.Int)
  }),
  task: Schema.Struct({ id: Schema.String, title: Schema.String })
})
export type ApprovedProposal = typeof ApprovedProposal.Type
