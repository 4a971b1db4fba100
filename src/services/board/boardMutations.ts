import { Effect, Result } from "effect"
import { PRIMARY, qualifiedKey } from "../../contract/qualifiedKey.ts"
import type { BoardConfig } from "../../contract/schema/boardConfig.ts"
import { MAX_COMMENTS, type TaskComment } from "../../contract/schema/comment.ts"
import type { KanbanChange } from "../../contract/schema/kanbanChange.ts"
import type { Ask, AskedBy, Proposal } from "../../contract/schema/proposal.ts"
import type { HistoryEntry, Task } from "../../contract/schema/task.ts"
import type { CreateTask } from "../../contract/schema/taskInputs.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import type { StoreError } from "../platform/sqlite/Sqlite.ts"
import { afterRun, asAutomatic } from "./automatic/automaticRules.ts"
import { countFailure } from "./automatic/loopBreaker.ts"
import {
  type AlreadyResolved,
  CommentNotFound,
  type InvalidTransition,
  ProposalNotFound,
  TaskNotFound,
  TooManyComments,
  VersionConflict
} from "./boardErrors.ts"
import {
  type Mutation,
  proposalChange,
  type RunChange,
  type RunOrder,
  taskChange,
  taskDeleted,
  withoutEvents
} from "./boardEvents.ts"
import { approveProposal, createProposal, proposedTask, rejectProposal } from "./proposals/proposalRules.ts"
import type { Answer } from "./proposals/readAnswer.ts"
import { markerNotes } from "./runs/runNotes.ts"
import { runSession } from "./runs/runPrompt.ts"
import type { BoardDb, ConsoleName } from "./store/BoardStore.ts"
import { deleteComment, insertComment } from "./store/commentStore.ts"
import { claimLease, holdsLease, noteGateway } from "./store/leaseRows.ts"
import {
  findProposal,
  isFirstReading,
  noteRun,
  noteRunEnd,
  type SessionResponse,
  saveProposal
} from "./store/proposalStore.ts"
import { endRunOrder, insertRun, listRuns, resumeRunOrder } from "./store/runStore.ts"
import type { StoredTask } from "./store/taskRows.ts"
import { deleteTask, findTask, insertTask, placedTask, saveTask } from "./store/taskStore.ts"
import {
  activeRun,
  createTask,
  finishRun,
  noActiveRun,
  OPERATOR,
  patchTask,
  type RunDetails,
  type RunOutcome,
  startRun,
  type TaskChange,
  type TaskContent,
  withCommentCount,
  withHistory
} from "./tasks/taskRules.ts"

/** Everything a mutation needs from outside. */
export interface MutationContext {
  readonly db: BoardDb
  readonly now: number
  readonly config: BoardConfig
  readonly newId: () => string
  /** On a board that several consoles share: this one. */
  readonly self?: ConsoleName | undefined
  /** Who acts, if the console knows their name. */
  readonly by?: string | undefined
}

type Change<A, E = never> = Effect.Effect<Mutation<A>, E | StoreError>

const stored = Effect.fnUntraced(function* (db: BoardDb, id: string) {
  return (yield* findTask(db, id)) ?? (yield* new TaskNotFound({ id }))
})

const ended = Effect.fnUntraced(function* (db: BoardDb, change: TaskChange) {
  if (change.ended === undefined) return []
  const { run, stop } = change.ended
  yield* endRunOrder(db, run.sessionKey, stop)
  yield* noteRunEnd(db, run.sessionKey, run.endedAt ?? run.startedAt)
  const runs: ReadonlyArray<RunChange> = [{ type: "ended", sessionKey: run.sessionKey, stop }]
  return runs
})

const save = Effect.fnUntraced(function* (
  context: MutationContext,
  before: StoredTask,
  change: TaskChange,
  did: HistoryEntry["what"] | undefined
) {
  const { by, db } = context
  const settled = afterRun(change, context.now)
  const task = yield* saveTask(db, before, withHistory(before.content, settled, did, by))
  const saved: Mutation<Task> = {
    value: task,
    changes: [
      taskChange(change.place === "keep" ? "updated" : "moved", task),
      ...(yield* countFailure(context, settled))
    ],
    runs: yield* ended(db, settled)
  }
  return saved
})

/** Adds a task. */
export const addTask = Effect.fnUntraced(function* (
  { by, db, now, config, newId }: MutationContext,
  input: CreateTask
) {
  const made = createTask(input, { id: newId(), now, config })
  const task = yield* insertTask(
    db,
    made.createdBy === OPERATOR && by !== undefined ? { ...made, createdBy: by } : made
  )
  const added: Mutation<Task> = { value: task, changes: [taskChange("created", task)], runs: [] }
  return added
})

/** Applies a rule to any version of a task; `did` is what the history calls it. */
export const changeTask = Effect.fnUntraced(function* <E>(
  context: MutationContext,
  id: string,
  rule: (before: StoredTask) => Result.Result<TaskChange, E>,
  did?: HistoryEntry["what"]
) {
  const before = yield* stored(context.db, id)
  return yield* save(context, before, yield* Effect.fromResult(rule(before)), did)
})

/** The task, if it still has the version that the caller has seen; any other is a conflict. */
export const seenTask = Effect.fnUntraced(function* ({ db }: MutationContext, id: string, version: number) {
  const found = yield* stored(db, id)
  if (found.content.version !== version) return yield* new VersionConflict({ latest: yield* placedTask(db, found) })
  return found
})

/** Applies a rule to the version of a task that the caller has seen. */
export const compareAndSet = Effect.fnUntraced(function* (
  context: MutationContext,
  id: string,
  version: number,
  rule: (before: StoredTask) => TaskChange
) {
  const before = yield* seenTask(context, id, version)
  return yield* save(context, before, rule(before), "moved")
})

/** Removes a task; an active run is stopped. */
export const removeTask = Effect.fnUntraced(function* ({ db, now }: MutationContext, id: string) {
  const before = yield* stored(db, id)
  const run = activeRun(before.content)
  yield* deleteTask(db, before)
  if (run !== undefined) {
    yield* endRunOrder(db, run.sessionKey, true)
    yield* noteRunEnd(db, run.sessionKey, now)
  }
  const removed: Mutation<void> = {
    value: undefined,
    changes: [taskDeleted(id, before.content.version)],
    runs: run === undefined ? [] : [{ type: "ended", sessionKey: run.sessionKey, stop: true }]
  }
  return removed
})

/** How a run is to be carried out. */
export interface RunRequest {
  readonly agentId: string
  readonly chooseModel: (task: StoredTask) => { readonly model: string; readonly isFallback: boolean }
  readonly thinking: string | undefined
  /** Nobody asked for it: the board starts the card by itself. */
  readonly isAutomatic?: boolean
}

/** Starts a run on a session key of its own; a task that's already running is left alone. */
export const beginRun = Effect.fnUntraced(function* (
  { by, db, now, newId, self }: MutationContext,
  id: string,
  request: RunRequest
): Effect.fn.Return<Mutation<Task>, TaskNotFound | InvalidTransition | StoreError> {
  const before = yield* stored(db, id)
  const runCount = before.runCount + 1
  const sessionKey = runSession(request.agentId, id, runCount)
  const runId = newId()
  const change = yield* Effect.fromResult(startRun(before.content, { sessionKey, runId, now, by: self }))
  if (change === undefined) return withoutEvents(yield* placedTask(db, before))
  const { model, isFallback } = request.chooseModel(before)
  const order: RunOrder = {
    taskId: id,
    sessionKey,
    runId,
    startedAt: now,
    model,
    modelIsFallback: isFallback,
    thinking: request.thinking ?? before.content.thinking,
    ...optionalEntry("gatewayId", before.content.gatewayId)
  }
  const begun = request.isAutomatic === true ? asAutomatic(before.content, change) : change
  const task = yield* saveTask(db, before, withHistory(before.content, begun, "started", by), runCount)
  yield* insertRun(db, order)
  yield* noteRun(db, order)
  if (self !== undefined) yield* noteGateway(db, sessionKey, self)
  const leased =
    self === undefined ? order : { ...order, owner: self.owner, fence: yield* claimLease(db, sessionKey, self) }
  return { value: task, changes: [taskChange("moved", task)], runs: [{ type: "started", order: leased }] }
})

/** Pauses the active run of a session, or lets it go on; the task is unchanged if that run isn't active any more. */
export const changeRun = Effect.fnUntraced(function* (
  context: MutationContext,
  id: string,
  rule: (before: TaskContent) => TaskChange | undefined,
  resumed?: { readonly sessionKey: string; readonly runId: string }
): Effect.fn.Return<Mutation<boolean>, TaskNotFound | StoreError> {
  const { db, now } = context
  const before = yield* stored(db, id)
  const change = rule(before.content)
  if (change === undefined) return withoutEvents(false)
  const saved = yield* save(context, before, change, undefined)
  if (resumed === undefined) return { ...saved, value: true }
  yield* resumeRunOrder(db, resumed.sessionKey, resumed.runId, now)
  const orders = yield* listRuns(db, "active")
  const order = orders.find(({ sessionKey }) => sessionKey === resumed.sessionKey)
  return { ...saved, value: true, runs: order === undefined ? [] : [{ type: "resumed", order }] }
})

const applied = (
  context: MutationContext,
  proposal: Proposal,
  did?: HistoryEntry["what"]
): Change<Task, TaskNotFound> => {
  // The proposer is recorded as the creator.
  if (proposal.type === "create") return addTask({ ...context, by: undefined }, proposedTask(proposal))
  const { id, ...changes } = proposal.payload
  return changeTask(context, id, (before) => Result.succeed(patchTask(before.content, changes, context.now)), did)
}

/** Stores a proposal, and applies it at once if the board is set to. */
export const addProposal = Effect.fnUntraced(function* (
  context: MutationContext,
  ask: Ask,
  by: AskedBy
): Effect.fn.Return<Mutation<Proposal>, TaskNotFound | StoreError> {
  const { db, now, config, newId } = context
  const pending = createProposal(ask, by, { id: newId(), now })
  if (config.proposalPolicy === "confirm") {
    if (ask.type === "update") yield* stored(db, ask.payload.id)
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

/** Approves and applies a proposal in one step. If its task was deleted, it stays pending and can be rejected. */
export const resolveByApproval = Effect.fnUntraced(function* (
  context: MutationContext,
  id: string
): Effect.fn.Return<Mutation<ApprovedProposal>, ProposalNotFound | AlreadyResolved | TaskNotFound | StoreError> {
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

/** The proposals in an agent's response, and why some of its requests couldn't be carried out. */
const proposalsFrom = Effect.fnUntraced(function* (context: MutationContext, asks: ReadonlyArray<Ask>, by: AskedBy) {
  const changes: Array<KanbanChange> = []
  const runs: Array<RunChange> = []
  const faults: Array<string> = []
  for (const ask of asks) {
    // An update to a task that doesn't exist is skipped like any other invalid marker.
    const made = yield* addProposal(context, ask, by).pipe(
      Effect.catchTag("TaskNotFound", ({ id }) => Effect.succeed({ id }))
    )
    if ("id" in made) {
      faults.push(`a [kanban:update] marker was ignored: there's no task ${made.id}`)
    } else {
      changes.push(...made.changes)
      runs.push(...made.runs)
    }
  }
  return { changes, runs, faults }
})

const proposer = (sessionKey: string | undefined) => `agent:${sessionKey?.split(":")[1] ?? "main"}`

/** Stores the proposals in a session's response, unless that was done before. */
export const proposeFromSession = Effect.fnUntraced(function* (
  context: MutationContext,
  response: SessionResponse,
  asks: ReadonlyArray<Ask>
) {
  if (!(yield* isFirstReading(context.db, response))) return withoutEvents(undefined)
  const { gatewayId = PRIMARY, sessionKey } = response
  const { changes, runs } = yield* proposalsFrom(context, asks, {
    proposedBy: proposer(sessionKey),
    sourceSessionKey: qualifiedKey(gatewayId, sessionKey)
  })
  return { value: undefined, changes, runs }
})

/**
 * Ends the active run and stores the proposals in the agent's answer, in one transaction, and notes what of it wasn't used. With `only`, the active run
 * must be that one.
 */
export const endRun = Effect.fnUntraced(function* (
  context: MutationContext,
  id: string,
  outcome: RunOutcome,
  answer: Answer | undefined,
  only?: { readonly order: RunOrder; readonly about: RunDetails }
): Effect.fn.Return<Mutation<Task>, TaskNotFound | InvalidTransition | StoreError> {
  const isLost = only !== undefined && !(yield* holdsLease(context.db, only.order))
  const finished = yield* changeTask(context, id, ({ content }) =>
    isLost
      ? Result.fail(noActiveRun(content, "todo"))
      : finishRun(content, outcome, context.config, context.now, only && { ...only.order, about: only.about })
  )
  const { gatewayId = PRIMARY, sessionKey } = finished.value.run ?? {}
  const proposedBy = proposer(sessionKey)
  const by: AskedBy =
    sessionKey === undefined ? { proposedBy } : { proposedBy, sourceSessionKey: qualifiedKey(gatewayId, sessionKey) }
  const { changes, runs, faults } = yield* proposalsFrom(context, answer?.asks ?? [], by)
  const latest = changes.length === 0 ? undefined : yield* findTask(context.db, id)
  const task = latest === undefined ? finished.value : yield* placedTask(context.db, latest)
  return {
    value: task,
    changes: [...finished.changes, ...changes],
    runs: [...finished.runs, ...runs],
    notes: markerNotes(task, [...(answer?.faults ?? []), ...faults])
  }
})

type CommentContext = Pick<MutationContext, "db" | "now" | "newId">

/** Counts one comment more or fewer: a new version, so that pages and caches are notified. */
const counted = Effect.fnUntraced(function* <A>({ db, now }: CommentContext, before: StoredTask, by: 1 | -1, value: A) {
  const change = withCommentCount(before.content, (before.content.commentCount ?? 0) + by, now)
  const mutation: Mutation<A> = {
    value,
    changes: [taskChange("updated", yield* saveTask(db, before, change))],
    runs: []
  }
  return mutation
})

/** Adds a comment to any version of a task, so that people who comment never conflict. */
export const addComment = Effect.fnUntraced(function* (context: CommentContext, id: string, by: string, text: string) {
  const before = yield* stored(context.db, id)
  if ((before.content.commentCount ?? 0) >= MAX_COMMENTS) return yield* new TooManyComments({ max: MAX_COMMENTS })
  const comment: TaskComment = { id: context.newId(), at: context.now, by, text }
  yield* insertComment(context.db, before.seq, comment)
  return yield* counted(context, before, 1, comment)
})

/** Removes a comment. */
export const removeComment = Effect.fnUntraced(function* (context: CommentContext, id: string, commentId: string) {
  const before = yield* stored(context.db, id)
  if (!(yield* deleteComment(context.db, before.seq, commentId))) return yield* new CommentNotFound({ id: commentId })
  return yield* counted(context, before, -1, undefined)
})
