import { Effect } from "effect"
import { OWN_CARD } from "../../../contract/board.ts"
import { PRIMARY, qualifiedKey } from "../../../contract/qualifiedKey.ts"
import type { KanbanChange } from "../../../contract/schema/kanbanChange.ts"
import type { Ask, AskedBy, Proposal } from "../../../contract/schema/proposal.ts"
import type { HistoryEntry, Task } from "../../../contract/schema/task.ts"
import type { StoreError } from "../../platform/sqlite/Sqlite.ts"
import {
  type AlreadyResolved,
  type CycleFound,
  type InvalidLink,
  ProposalNotFound,
  type TaskNotFound
} from "../boardErrors.ts"
import { type Mutation, proposalChange, type RunChange, withoutEvents } from "../boardEvents.ts"
import { addTask, type MutationContext, patchAny, stored } from "../boardMutations.ts"
import { checkLinks } from "../flow/checkLinks.ts"
import { agentOfRun, taskOfSession } from "../runs/runPrompt.ts"
import type { BoardDb } from "../store/BoardStore.ts"
import { findProposal, isFirstReading, type SessionResponse, saveProposal } from "../store/proposalStore.ts"
import { approveProposal, createProposal, proposedTask, rejectProposal } from "./proposalRules.ts"

/** Why a change that was asked for can't be made. */
type Refused = TaskNotFound | CycleFound | InvalidLink

const applied = Effect.fnUntraced(function* (
  context: MutationContext,
  proposal: Proposal,
  did?: HistoryEntry["what"]
): Effect.fn.Return<Mutation<Task>, Refused | StoreError> {
  // The proposer is recorded as the creator.
  if (proposal.type === "create") return yield* addTask({ ...context, by: undefined }, proposedTask(proposal))
  const { id, ...changes } = proposal.payload
  return yield* patchAny(context, yield* stored(context.db, id), changes, did)
})

/** The same request, with the card that `self` stands for. */
const withParent = (ask: Ask, ownCard: string | undefined): Ask => {
  if (ownCard === undefined || ask.payload.parentId !== OWN_CARD) return ask
  return ask.type === "create"
    ? { type: "create", payload: { ...ask.payload, parentId: ownCard } }
    : { type: "update", payload: { ...ask.payload, parentId: ownCard } }
}

/** Stores a proposal, and applies it at once if the board is set to. `self` in it is the card `ownCard`. */
export const addProposal = Effect.fnUntraced(function* (
  context: MutationContext,
  asked: Ask,
  by: AskedBy,
  ownCard?: string
): Effect.fn.Return<Mutation<Proposal>, Refused | StoreError> {
  const { db, now, config, newId } = context
  const ask = withParent(asked, ownCard)
  const pending = createProposal(ask, by, { id: newId(), now })
  if (config.proposalPolicy === "confirm") {
    const before = ask.type === "update" ? (yield* stored(db, ask.payload.id)).content : undefined
    yield* checkLinks(db, before?.id ?? pending.id, ask.payload, before?.after)
    yield* saveProposal(db, pending)
    return { value: pending, changes: [proposalChange("created", pending)], runs: [] }
  }
  const task = yield* applied(context, pending)
  const approved: Proposal = { ...pending, status: "approved", resolvedAt: now }
  yield* saveProposal(db, approved)
  return { value: approved, changes: [proposalChange("created", approved), ...task.changes], runs: task.runs }
})

/** A resolved proposal and the task it created or changed. */
export interface ApprovedProposal {
  readonly proposal: Proposal
  readonly task: Task
}

const proposalOf = Effect.fnUntraced(function* (db: BoardDb, id: string) {
  return (yield* findProposal(db, id)) ?? (yield* new ProposalNotFound({ id }))
})

/**
 * Approves and applies a proposal in one step. If its task was deleted, or a card that it links to, it stays pending and
 * can be rejected.
 */
export const resolveByApproval = Effect.fnUntraced(function* (
  context: MutationContext,
  id: string
): Effect.fn.Return<Mutation<ApprovedProposal>, ProposalNotFound | AlreadyResolved | Refused | StoreError> {
  const proposal = yield* Effect.fromResult(approveProposal(yield* proposalOf(context.db, id), context.now))
  const task = yield* applied(context, proposal, "moved")
  yield* saveProposal(context.db, proposal)
  return {
    value: { proposal, task: task.value },
    changes: [proposalChange("resolved", proposal), ...task.changes],
    runs: task.runs
  }
})

/** Rejects a pending proposal. */
export const resolveByRejection = Effect.fnUntraced(function* (
  context: MutationContext,
  id: string,
  reason: string | undefined
): Effect.fn.Return<Mutation<Proposal>, ProposalNotFound | AlreadyResolved | StoreError> {
  const proposal = yield* Effect.fromResult(rejectProposal(yield* proposalOf(context.db, id), reason, context.now))
  yield* saveProposal(context.db, proposal)
  return { value: proposal, changes: [proposalChange("resolved", proposal)], runs: [] }
})

const faultOf = (failure: Refused): string => {
  switch (failure._tag) {
    case "TaskNotFound":
      return `there's no task ${failure.id}`
    case "CycleFound":
      return `its cards would wait for each other (${failure.path.join(", ")})`
    case "InvalidLink":
      return failure.message
  }
}

/** The proposals in an agent's response, and why some of its requests couldn't be carried out. */
export const proposalsFrom = Effect.fnUntraced(function* (
  context: MutationContext,
  asks: ReadonlyArray<Ask>,
  by: AskedBy,
  ownCard: string | undefined
) {
  const changes: Array<KanbanChange> = []
  const runs: Array<RunChange> = []
  const faults: Array<string> = []
  for (const ask of asks) {
    // What can't be done is skipped like any other invalid marker.
    const made = yield* addProposal(context, ask, by, ownCard).pipe(
      Effect.catchTag(["TaskNotFound", "CycleFound", "InvalidLink"], (failure) =>
        Effect.succeed({ fault: faultOf(failure) })
      )
    )
    if ("fault" in made) {
      faults.push(`a [kanban:${ask.type}] marker was ignored: ${made.fault}`)
    } else {
      changes.push(...made.changes)
      runs.push(...made.runs)
    }
  }
  return { changes, runs, faults }
})

/** The agent of a session, as a proposer. */
export const proposer = (sessionKey = "") => `agent:${agentOfRun(sessionKey)}`

/** Stores the proposals in a session's response, unless that was done before. */
export const proposeFromSession = Effect.fnUntraced(function* (
  context: MutationContext,
  response: SessionResponse,
  asks: ReadonlyArray<Ask>
) {
  if (!(yield* isFirstReading(context.db, response))) return withoutEvents(undefined)
  const { gatewayId = PRIMARY, sessionKey } = response
  const by: AskedBy = { proposedBy: proposer(sessionKey), sourceSessionKey: qualifiedKey(gatewayId, sessionKey) }
  const { changes, runs } = yield* proposalsFrom(context, asks, by, taskOfSession(sessionKey))
  return { value: undefined, changes, runs }
})
