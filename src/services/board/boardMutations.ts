import { Effect, Result } from "effect"
import { MAX_COMMENTS, type TaskComment } from "../../contract/schema/comment.ts"
import type { KanbanChange } from "../../contract/schema/kanbanChange.ts"
import type { HistoryEntry, Task } from "../../contract/schema/task.ts"
import type { CreateTask, TaskChanges } from "../../contract/schema/taskInputs.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import type { StoreError } from "../platform/sqlite/Sqlite.ts"
import { afterRun, asAutomatic } from "./automatic/automaticRules.ts"
import { countFailure } from "./automatic/loopBreaker.ts"
import {
  CommentNotFound,
  type InvalidTransition,
  StartBlocked,
  TaskNotFound,
  TooManyComments,
  VersionConflict
} from "./boardErrors.ts"
import { type Mutation, type RunChange, type RunOrder, taskChange, taskDeleted, withoutEvents } from "./boardEvents.ts"
import { checkLinks } from "./flow/checkLinks.ts"
import { type StartContext, startReasons, withFlow } from "./flow/flowAnswers.ts"
import { neighbourChanges } from "./flow/neighbourChanges.ts"
import { holdsPerson } from "./flow/startGate.ts"
import { runSession } from "./runs/runPrompt.ts"
import type { BoardDb, ConsoleName } from "./store/BoardStore.ts"
import { deleteComment, insertComment } from "./store/commentStore.ts"
import { claimLease, noteGateway } from "./store/leaseRows.ts"
import { listChildren } from "./store/linkStore.ts"
import { noteRun, noteRunEnd } from "./store/proposalStore.ts"
import { endRunOrder, insertRun, listRuns, resumeRunOrder } from "./store/runStore.ts"
import type { StoredTask } from "./store/taskRows.ts"
import { deleteTask, findTask, insertTask, placedTask, saveTask } from "./store/taskStore.ts"
import {
  activeRun,
  createTask,
  OPERATOR,
  patchTask,
  startRun,
  type TaskChange,
  type TaskContent,
  withCommentCount,
  withHistory
} from "./tasks/taskRules.ts"

/** Everything a mutation needs from outside. */
export interface MutationContext extends StartContext {
  readonly db: BoardDb
  readonly newId: () => string
  /** On a board that several consoles share: this one. */
  readonly self?: ConsoleName | undefined
  /** Who acts, if the console knows their name. */
  readonly by?: string | undefined
}

export const stored = Effect.fnUntraced(function* (db: BoardDb, id: string) {
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
      ...(yield* neighbourChanges(db, before.content, task)),
      ...(yield* countFailure(context, settled))
    ],
    runs: yield* ended(db, settled)
  }
  return saved
})

/** A stored task as it's answered. */
const answeredTask = Effect.fnUntraced(function* (context: MutationContext, found: StoredTask) {
  const task = yield* placedTask(context.db, found)
  return (yield* withFlow(context.db, [task], context))[0] ?? task
})

const insert = Effect.fnUntraced(function* ({ by, db }: MutationContext, made: TaskContent) {
  const task = yield* insertTask(
    db,
    made.createdBy === OPERATOR && by !== undefined ? { ...made, createdBy: by } : made
  )
  const added: Mutation<Task> = {
    value: task,
    changes: [taskChange("created", task), ...(yield* neighbourChanges(db, undefined, task))],
    runs: []
  }
  return added
})

/** Adds a task. */
export const addTask = Effect.fnUntraced(function* (context: MutationContext, input: CreateTask) {
  const made = createTask(input, { id: context.newId(), now: context.now, config: context.config })
  yield* checkLinks(context.db, made.id, made)
  return yield* insert(context, made)
})

/**
 * Adds a task where nobody could correct it: cards that it waits for and that are gone hold it, and it's no part of one
 * that it can't be a part of.
 */
export const addUnattended = Effect.fnUntraced(function* (context: MutationContext, input: CreateTask) {
  const made = createTask(input, { id: context.newId(), now: context.now, config: context.config })
  const { parentId, ...alone } = made
  const mayBePart = Effect.as(checkLinks(context.db, made.id, { parentId }), made)
  const fitting = Effect.catchTag(mayBePart, ["CycleFound", "InvalidLink"], () => Effect.succeed(alone))
  return yield* insert(context, yield* fitting)
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
export const seenTask = Effect.fnUntraced(function* (context: MutationContext, id: string, version: number) {
  const found = yield* stored(context.db, id)
  if (found.content.version !== version)
    return yield* new VersionConflict({ latest: yield* answeredTask(context, found) })
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

/** Changes the fields of any version of a task; links are only made where they may be. */
export const patchAny = Effect.fnUntraced(function* (
  context: MutationContext,
  before: StoredTask,
  changes: TaskChanges,
  did?: HistoryEntry["what"]
) {
  const { after, id } = before.content
  yield* checkLinks(context.db, id, changes, after)
  return yield* save(context, before, patchTask(before.content, changes, context.now), did)
})

/** Removes a task; an active run is stopped, and its children are on their own. */
export const removeTask = Effect.fnUntraced(function* (context: MutationContext, id: string) {
  const { db, now } = context
  const before = yield* stored(db, id)
  const run = activeRun(before.content)
  yield* deleteTask(db, before)
  if (run !== undefined) {
    yield* endRunOrder(db, run.sessionKey, true)
    yield* noteRunEnd(db, run.sessionKey, now)
  }
  const children: Array<KanbanChange> = []
  for (const child of yield* listChildren(db, id)) {
    const freed = yield* changeTask(context, child, ({ content }) =>
      Result.succeed(patchTask(content, { parentId: null }, now))
    )
    children.push(...freed.changes)
  }
  const removed: Mutation<void> = {
    value: undefined,
    changes: [
      taskDeleted(id, before.content.version),
      ...children,
      ...(yield* neighbourChanges(db, before.content, undefined))
    ],
    runs: run === undefined ? [] : [{ type: "ended", sessionKey: run.sessionKey, stop: true }]
  }
  return removed
})

/** How a run is to be carried out. */
export interface RunRequest {
  readonly agentId: string
  readonly chooseModel: (task: StoredTask) => { readonly model: string; readonly isFallback: boolean }
  readonly thinking: string | undefined
  /** Starts it although it waits for other cards or for its time. */
  readonly force?: boolean | undefined
  /** Nobody asked for it: the board starts the card by itself, which anything that it waits for prevents. */
  readonly isAutomatic?: boolean | undefined
}

/** What keeps a card from this start. */
const refusals = Effect.fnUntraced(function* (
  context: MutationContext,
  { content }: StoredTask,
  { agentId, force = false, isAutomatic = false }: RunRequest
) {
  if (force) return []
  const card = { ...content, assignee: `agent:${agentId}` }
  const reasons = (yield* startReasons(context.db, [card], context))[0] ?? []
  return isAutomatic ? reasons : reasons.filter(holdsPerson)
})

/** Starts a run on a session key of its own; a task that's already running is left alone. */
export const beginRun = Effect.fnUntraced(function* (
  context: MutationContext,
  id: string,
  request: RunRequest
): Effect.fn.Return<Mutation<Task>, TaskNotFound | InvalidTransition | StartBlocked | StoreError> {
  const { by, db, now, newId, self } = context
  const before = yield* stored(db, id)
  const runCount = before.runCount + 1
  const sessionKey = runSession(request.agentId, id, runCount)
  const runId = newId()
  const change = yield* Effect.fromResult(startRun(before.content, { sessionKey, runId, now, by: self }))
  if (change === undefined) return withoutEvents(yield* placedTask(db, before))
  const waitsFor = yield* refusals(context, before, request)
  if (waitsFor.length > 0) return yield* new StartBlocked({ waitsFor })
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
