import { Result } from "effect"
import type { Ask, AskedBy, Proposal } from "../../../contract/schema/proposal.ts"
import { isActor } from "../../../contract/schema/task.ts"
import type { CreateTask } from "../../../contract/schema/taskInputs.ts"
import { optionalEntry } from "../../platform/optionalEntry.ts"
import { AlreadyResolved } from "../boardErrors.ts"

/** A new proposal, waiting for a decision. */
export const createProposal = (
  ask: Ask,
  by: AskedBy,
  made: { readonly id: string; readonly now: number }
): Proposal => ({
  id: made.id,
  ...ask,
  ...optionalEntry("sourceSessionKey", by.sourceSessionKey),
  proposedBy: by.proposedBy,
  proposedAt: made.now,
  status: "pending",
  version: 1
})

const resolved = (proposal: Proposal, now: number) => ({
  version: proposal.version + 1,
  resolvedAt: Math.max(now, proposal.proposedAt)
})

/** Marks a pending proposal as approved. */
export const approveProposal = (proposal: Proposal, now: number): Result.Result<Proposal, AlreadyResolved> =>
  proposal.status === "pending"
    ? Result.succeed({ ...proposal, ...resolved(proposal, now), status: "approved" })
    : Result.fail(new AlreadyResolved({ proposal }))

/** Marks a pending proposal as rejected. */
export const rejectProposal = (
  proposal: Proposal,
  reason: string | undefined,
  now: number
): Result.Result<Proposal, AlreadyResolved> =>
  proposal.status === "pending"
    ? Result.succeed({
        ...proposal,
        ...resolved(proposal, now),
        status: "rejected",
        ...optionalEntry("reason", reason)
      })
    : Result.fail(new AlreadyResolved({ proposal }))

/** The task a create proposal asks for, created by the proposer. */
export const proposedTask = (proposal: Extract<Proposal, { readonly type: "create" }>): CreateTask => ({
  ...proposal.payload,
  createdBy: isActor(proposal.proposedBy) ? proposal.proposedBy : `agent:${proposal.proposedBy.trim()}`.slice(0, 200),
  ...optionalEntry("sourceSessionKey", proposal.sourceSessionKey)
})
