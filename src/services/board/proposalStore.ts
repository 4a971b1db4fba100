import { Schema } from "effect"
import type { SqlConnection } from "../sqlite/Sqlite.ts"
import { optionalEntry } from "./optionalEntry.ts"
import { Ask, type Proposal, ProposalStatus } from "./proposal.ts"

const ProposalRow = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  payload: Schema.fromJsonString(Schema.Unknown),
  source_session_key: Schema.NullOr(Schema.String),
  proposed_by: Schema.String,
  proposed_at: Schema.Int,
  status: ProposalStatus,
  version: Schema.Int,
  resolved_at: Schema.NullOr(Schema.Int),
  reason: Schema.NullOr(Schema.String)
})

const decodeRow = Schema.decodeUnknownSync(ProposalRow)
const decodeAsk = Schema.decodeUnknownSync(Ask)

const proposalOf = (row: unknown): Proposal => {
  const r = decodeRow(row)
  return {
    id: r.id,
    ...decodeAsk({ type: r.type, payload: r.payload }),
    ...optionalEntry("sourceSessionKey", r.source_session_key),
    proposedBy: r.proposed_by,
    proposedAt: r.proposed_at,
    status: r.status,
    version: r.version,
    ...optionalEntry("resolvedAt", r.resolved_at),
    ...optionalEntry("reason", r.reason)
  }
}

/** The proposal with this id. */
export const findProposal = (db: SqlConnection, id: string): Proposal | undefined => {
  const row = db.get("SELECT * FROM proposals WHERE id = ?", id)
  return row === undefined ? undefined : proposalOf(row)
}

/** Every proposal, or those of one status, the most recent first. */
export const listProposals = (db: SqlConnection, status: ProposalStatus | undefined): ReadonlyArray<Proposal> =>
  (status === undefined
    ? db.all("SELECT * FROM proposals ORDER BY seq DESC")
    : db.all("SELECT * FROM proposals WHERE status = ? ORDER BY seq DESC", status)
  ).map(proposalOf)

/** Adds a proposal, or replaces the one with its id. */
export const saveProposal = (db: SqlConnection, proposal: Proposal): void => {
  db.run(
    `INSERT INTO proposals
       (id, type, payload, source_session_key, proposed_by, proposed_at, status, version, resolved_at, reason)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET status = excluded.status, version = excluded.version,
       resolved_at = excluded.resolved_at, reason = excluded.reason`,
    proposal.id,
    proposal.type,
    JSON.stringify(proposal.payload),
    proposal.sourceSessionKey ?? null,
    proposal.proposedBy,
    proposal.proposedAt,
    proposal.status,
    proposal.version,
    proposal.resolvedAt ?? null,
    proposal.reason ?? null
  )
}
