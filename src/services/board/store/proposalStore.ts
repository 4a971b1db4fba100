import { Effect, Schema } from "effect"
import { PRIMARY, qualifiedKey } from "../../../contract/qualifiedKey.ts"
import { Ask, PROPOSAL_STATUSES, type Proposal, type ProposalStatus } from "../../../contract/schema/proposal.ts"
import { insertInto, integer, json, oneOf, optional, table, text } from "../../platform/sqlite/table.ts"
import type { BoardDb } from "./BoardStore.ts"

const PROPOSAL = table("p", {
  id: text,
  type: text,
  payload: json(Schema.Unknown),
  sourceSessionKey: optional(text),
  proposedBy: text,
  proposedAt: integer,
  status: oneOf(PROPOSAL_STATUSES),
  version: integer,
  resolvedAt: optional(integer),
  reason: optional(text)
})
const PUT_PROPOSAL = insertInto("proposals", PROPOSAL.names, "id")

const decodeAsk = Schema.decodeUnknownSync(Ask)

const selectProposals = (db: BoardDb, where: string, ...values: ReadonlyArray<string>) =>
  Effect.map(
    db.rows(`SELECT ${PROPOSAL.selected(db.dialect)} FROM proposals p ${where} ORDER BY p.seq DESC`, ...values),
    (rows) =>
      rows.map((row): Proposal => {
        const proposal = PROPOSAL.read(row)
        return { ...proposal, ...decodeAsk(proposal) }
      })
  )

/** The proposal with this id. */
export const findProposal = (db: BoardDb, id: string) =>
  Effect.map(selectProposals(db, "WHERE p.id = ?", id), ([proposal]) => proposal)

/** All proposals, or those with one status, most recent first. */
export const listProposals = (db: BoardDb, status: ProposalStatus | undefined) =>
  status === undefined ? selectProposals(db, "") : selectProposals(db, "WHERE p.status = ?", status)

/** Adds a proposal, or replaces the one with its id. */
export const saveProposal = (db: BoardDb, proposal: Proposal) => db.run(PUT_PROPOSAL, ...PROPOSAL.values(proposal))

/** A response of an agent in a session. */
export interface SessionResponse {
  /** The added gateway whose session it is; absent for the primary one. */
  readonly gatewayId?: string
  readonly sessionKey: string
  /** Of the run it belongs to; older gateways don't say it. */
  readonly runId: string | undefined
  readonly messageId: string
  /** Epoch milliseconds, by the gateway's clock. */
  readonly at: number
}

const isRead = (db: BoardDb, sessionKey: string, what: string) =>
  Effect.map(
    db.get("SELECT 1 FROM read_responses WHERE session_key = ? AND run_id = ?", sessionKey, what),
    (row) => row !== undefined
  )

const noteRead = (db: BoardDb, sessionKey: string, what: string) =>
  db.run("INSERT INTO read_responses VALUES (?, ?) ON CONFLICT DO NOTHING", sessionKey, what)

/** Notes that a run of the board reads its responses itself. */
export const noteRun = (db: BoardDb, { sessionKey, runId }: { readonly sessionKey: string; readonly runId: string }) =>
  noteRead(db, sessionKey, runId)

const UNTIL = "until:"

/** Records that a run of the board has ended: later responses in its session don't belong to the run. */
export const noteRunEnd = (db: BoardDb, sessionKey: string, at: number) => noteRead(db, sessionKey, `${UNTIL}${at}`)

const decodeUntil = Schema.decodeUnknownSync(Schema.Struct({ run_id: Schema.String }))

/** Whether a run of the board reads this response; without a run id, the time decides. */
const isOfRun = Effect.fnUntraced(function* (db: BoardDb, { at, runId, sessionKey }: SessionResponse) {
  if (runId !== undefined) return yield* isRead(db, sessionKey, runId)
  if ((yield* db.get("SELECT 1 FROM task_runs WHERE session_key = ?", sessionKey)) !== undefined) return true
  const ends = yield* db.all(
    "SELECT run_id FROM read_responses WHERE session_key = ? AND run_id LIKE ?",
    sessionKey,
    `${UNTIL}%`
  )
  return ends.some((row) => Number(decodeUntil(row).run_id.slice(UNTIL.length)) >= at)
})

/** Notes that the markers of a session's response are read; false if that was noted before, or a run reads them. */
export const isFirstReading = Effect.fnUntraced(function* (db: BoardDb, response: SessionResponse) {
  const { gatewayId = PRIMARY, messageId, sessionKey } = response
  // Two gateways may have sessions of the same key, and older ones number their messages briefly.
  const what = `message:${qualifiedKey(gatewayId, messageId)}`
  if ((yield* isRead(db, sessionKey, what)) || (yield* isOfRun(db, response))) return false
  yield* noteRead(db, sessionKey, what)
  return true
})
