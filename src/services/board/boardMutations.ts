import { Result } from "effect"
import type { SqlConnection } from "../platform/sqlite/Sqlite.ts"
import type { BoardConfig } from "./boardConfig.ts"
import {
  type AlreadyResolved,
  type InvalidTransition,
  ProposalNotFound,
  TaskNotFound,
  VersionConflict
} from "./boardErrors.ts"
import { type KanbanChange, proposalChange, type RunChange, taskChange, taskDeleted } from "./boardEvents.ts"
import type { Ask, AskedBy, Proposal } from "./proposal.ts"
import { approveProposal, createProposal, proposedTask, rejectProposal } from "./proposalRules.ts"
import {
  findProposal,
  isFirstReading,
  noteRun,
  noteRunEnd,
  type SessionResponse,
  saveProposal
} from "./proposalStore.ts"
import { endRunOrder, insertRun, type RunOrder } from "./runStore.ts"
import type { Task } from "./task.ts"
import type { CreateTask } from "./taskInputs.ts"
import type { StoredTask } from "./taskRows.ts"
import {
  activeRun,
  createTask,
  finishRun,
  patchTask,
  type RunDetails,
  type RunOutcome,
  startRun,
  type TaskChange
} from "./taskRules.ts"
import { deleteTask, findTask, insertTask, placedTask, saveTask } from "./taskStore.ts"

/** What one transaction did: its result, and what to publish once it's on disk. */
export interface Mutation<A> {
  readonly value: A
  readonly changes: ReadonlyArray<KanbanChange>
  readonly runs: ReadonlyArray<RunChange>
}

/** Everything a mutation needs from outside. */
export interface MutationContext {
  readonly db: SqlConnection
  readonly now: number
  readonly config: BoardConfig
  readonly newId: () => string
}

const quiet = <A>(value: A): Mutation<A> => ({ value, changes: [], runs: [] })

const stored = (db: SqlConnection, id: string): Result.Result<StoredTask, TaskNotFound> => {
  const task = findTask(db, id)
  return task === undefined ? Result.fail(new TaskNotFound({ id })) : Result.succeed(task)
}

const ended = (db: SqlConnection, change: TaskChange): ReadonlyArray<RunChange> => {
  if (change.ended === undefined) return []
  const { run, stop } = change.ended
  endRunOrder(db, run.sessionKey, stop)
  noteRunEnd(db, run.sessionKey, run.endedAt ?? run.startedAt)
  return [{ type: "ended", sessionKey: run.sessionKey, stop }]
}

const save = (db: SqlConnection, before: StoredTask, change: TaskChange): Mutation<Task> => {
  const task = saveTask(db, before, change)
  return {
    value: task,
    changes: [taskChange(change.place === "keep" ? "updated" : "moved", task)],
    runs: ended(db, change)
  }
}

/** Adds a task. */
export const addTask = ({ db, now, config, newId }: MutationContext, input: CreateTask): Mutation<Task> => {
  const task = insertTask(db, createTask(input, { id: newId(), now, config }))
  return { value: task, changes: [taskChange("created", task)], runs: [] }
}

/** Applies a rule to a task whatever its version. */
export const changeTask = <E>(
  { db }: MutationContext,
  id: string,
  rule: (before: StoredTask) => Result.Result<TaskChange, E>
): Result.Result<Mutation<Task>, E | TaskNotFound> =>
  Result.flatMap(stored(db, id), (before) => Result.map(rule(before), (change) => save(db, before, change)))

/** Applies a rule to the version of a task that the caller has seen; any other is a conflict. */
export const compareAndSet = (
  context: MutationContext,
  id: string,
  version: number,
  rule: (before: StoredTask) => TaskChange
): Result.Result<Mutation<Task>, TaskNotFound | VersionConflict> =>
  changeTask(context, id, (before) =>
    before.content.version === version
      ? Result.succeed(rule(before))
      : Result.fail(new VersionConflict({ latest: placedTask(context.db, before) }))
  )

/** Removes a task; an active run is stopped. */
export const removeTask = ({ db, now }: MutationContext, id: string): Result.Result<Mutation<void>, TaskNotFound> =>
  Result.map(stored(db, id), (before) => {
    const run = activeRun(before.content)
    deleteTask(db, before)
    if (run !== undefined) {
      endRunOrder(db, run.sessionKey, true)
      noteRunEnd(db, run.sessionKey, now)
    }
    return {
      value: undefined,
      changes: [taskDeleted(id, before.content.version)],
      runs: run === undefined ? [] : [{ type: "ended", sessionKey: run.sessionKey, stop: true }]
    }
  })

/** How a run is to be carried out. */
export interface RunRequest {
  readonly agentId: string
  readonly chooseModel: (task: StoredTask) => { readonly model: string; readonly isFallback: boolean }
  readonly thinking: string | undefined
}

/** Starts a run on a session key of its own; a task that's already running is left alone. */
export const beginRun = (
  { db, now, newId }: MutationContext,
  id: string,
  request: RunRequest
): Result.Result<Mutation<Task>, TaskNotFound | InvalidTransition> =>
  Result.flatMap(stored(db, id), (before) => {
    const runCount = before.runCount + 1
    const sessionKey = `agent:${request.agentId}:task-${id}-${runCount}`
    const runId = newId()
    return Result.map(startRun(before.content, { sessionKey, runId, now }), (change): Mutation<Task> => {
      if (change === undefined) return quiet(placedTask(db, before))
      const { model, isFallback } = request.chooseModel(before)
      const thinking = request.thinking ?? before.content.thinking
      const order: RunOrder = {
        taskId: id,
        sessionKey,
        runId,
        startedAt: now,
        model,
        modelIsFallback: isFallback,
        thinking
      }
      const task = saveTask(db, before, change, runCount)
      insertRun(db, order)
      noteRun(db, order)
      return { value: task, changes: [taskChange("moved", task)], runs: [{ type: "started", order }] }
    })
  })

const applied = (context: MutationContext, proposal: Proposal): Result.Result<Mutation<Task>, TaskNotFound> => {
  if (proposal.type === "create") return Result.succeed(addTask(context, proposedTask(proposal)))
  const { id, ...changes } = proposal.payload
  return changeTask(context, id, (before) => Result.succeed(patchTask(before.content, changes, context.now)))
}

/** Stores a proposal, and applies it at once if the board is set to. */
export const addProposal = (
  context: MutationContext,
  ask: Ask,
  by: AskedBy
): Result.Result<Mutation<Proposal>, TaskNotFound> => {
  const { db, now, config, newId } = context
  const pending = createProposal(ask, by, { id: newId(), now })
  if (config.proposalPolicy === "confirm") {
    if (ask.type === "update" && findTask(db, ask.payload.id) === undefined) {
      return Result.fail(new TaskNotFound({ id: ask.payload.id }))
    }
    saveProposal(db, pending)
    return Result.succeed({ value: pending, changes: [proposalChange("created", pending)], runs: [] })
  }
  return Result.map(applied(context, pending), (task) => {
    const approved: Proposal = { ...pending, status: "approved", resolvedAt: now }
    saveProposal(db, approved)
    return { value: approved, changes: [proposalChange("created", approved), ...task.changes], runs: task.runs }
  })
}

/** A resolved proposal and the task it created or changed. */
export interface ApprovedProposal {
  readonly proposal: Proposal
  readonly task: Task
}

const proposalOf = (db: SqlConnection, id: string): Result.Result<Proposal, ProposalNotFound> => {
  const proposal = findProposal(db, id)
  return proposal === undefined ? Result.fail(new ProposalNotFound({ id })) : Result.succeed(proposal)
}

/** Approves and applies a proposal in one step. If its task is gone, it stays pending and can be rejected. */
export const resolveByApproval = (
  context: MutationContext,
  id: string
): Result.Result<Mutation<ApprovedProposal>, ProposalNotFound | AlreadyResolved | TaskNotFound> =>
  Result.gen(function* () {
    const proposal = yield* approveProposal(yield* proposalOf(context.db, id), context.now)
    const task = yield* applied(context, proposal)
    saveProposal(context.db, proposal)
    return {
      value: { proposal, task: task.value },
      changes: [proposalChange("resolved", proposal), ...task.changes],
      runs: task.runs
    }
  })

/** Rejects a pending proposal. */
export const resolveByRejection = (
  context: MutationContext,
  id: string,
  reason: string | undefined
): Result.Result<Mutation<Proposal>, ProposalNotFound | AlreadyResolved> =>
  Result.gen(function* () {
    const proposal = yield* rejectProposal(yield* proposalOf(context.db, id), reason, context.now)
    saveProposal(context.db, proposal)
    return { value: proposal, changes: [proposalChange("resolved", proposal)], runs: [] }
  })

/** The proposals in an agent's response, and why some of its requests couldn't be carried out. */
const proposalsFrom = (context: MutationContext, asks: ReadonlyArray<Ask>, by: AskedBy) => {
  const made = asks.map((ask) => addProposal(context, ask, by))
  return {
    proposals: made.flatMap((one) => (Result.isSuccess(one) ? [one.success] : [])),
    // An update to a task that doesn't exist is skipped like any other invalid marker.
    faults: made.flatMap((one) =>
      Result.isFailure(one) ? [`a [kanban:update] marker was ignored: there's no task ${one.failure.id}`] : []
    )
  }
}

const proposer = (sessionKey: string | undefined) => `agent:${sessionKey?.split(":")[1] ?? "main"}`

/** Stores the proposals in a session's response, unless that was done before. */
export const proposeFromSession = (
  context: MutationContext,
  response: SessionResponse,
  asks: ReadonlyArray<Ask>
): Mutation<void> => {
  if (!isFirstReading(context.db, response)) return quiet(undefined)
  const { sessionKey } = response
  const { proposals } = proposalsFrom(context, asks, {
    proposedBy: proposer(sessionKey),
    sourceSessionKey: sessionKey
  })
  return {
    value: undefined,
    changes: proposals.flatMap((proposal) => proposal.changes),
    runs: proposals.flatMap((proposal) => proposal.runs)
  }
}

/** A task whose run has ended, and which of its agent's requests couldn't be carried out. */
export interface EndedRun {
  readonly task: Task
  readonly faults: ReadonlyArray<string>
}

/**
 * Ends the active run and stores the proposals in the agent's answer, in one transaction. With `only`, the active run
 * must be that one.
 */
export const endRun = (
  context: MutationContext,
  id: string,
  outcome: RunOutcome,
  asks: ReadonlyArray<Ask>,
  only?: { readonly sessionKey: string; readonly about: RunDetails }
): Result.Result<Mutation<EndedRun>, TaskNotFound | InvalidTransition> =>
  Result.map(
    changeTask(context, id, (before) => finishRun(before.content, outcome, context.config, context.now, only)),
    (finished) => {
      const sessionKey = finished.value.run?.sessionKey
      const proposedBy = proposer(sessionKey)
      const by: AskedBy = sessionKey === undefined ? { proposedBy } : { proposedBy, sourceSessionKey: sessionKey }
      const { faults, proposals } = proposalsFrom(context, asks, by)
      const latest = findTask(context.db, id)
      const task = latest === undefined ? finished.value : placedTask(context.db, latest)
      return {
        value: { task, faults },
        changes: [...finished.changes, ...proposals.flatMap((proposal) => proposal.changes)],
        runs: [...finished.runs, ...proposals.flatMap((proposal) => proposal.runs)]
      }
    }
  )
