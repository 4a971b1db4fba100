import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Layer, PubSub, Result, type Scope, Semaphore } from "effect"
import { EventBus } from "../events/EventBus.ts"
import { Sqlite, type StoreError } from "../sqlite/Sqlite.ts"
import { type BoardConfig, type BoardConfigPatch, updateConfig } from "./boardConfig.ts"
import {
  type AlreadyResolved,
  type InvalidProposal,
  type InvalidTransition,
  type ProposalNotFound,
  TaskNotFound,
  type VersionConflict
} from "./boardErrors.ts"
import { configChange, KANBAN_CHANGED, type RunChange } from "./boardEvents.ts"
import {
  type ApprovedProposal,
  addProposal,
  addTask,
  beginRun,
  changeTask,
  compareAndSet,
  endRun,
  type Mutation,
  type MutationContext,
  removeTask,
  resolveByApproval,
  resolveByRejection
} from "./boardMutations.ts"
import { loadConfig, saveConfig } from "./configStore.ts"
import { decodeAsk } from "./decodeAsk.ts"
import { chooseModel } from "./executionModel.ts"
import { optionalEntry } from "./optionalEntry.ts"
import type { Proposal, ProposalEnvelope, ProposalStatus, RejectProposal } from "./proposal.ts"
import { listProposals } from "./proposalStore.ts"
import { readAnswer } from "./readAnswer.ts"
import { endRunOrder, listRuns, type RunOrder } from "./runStore.ts"
import type { Task } from "./task.ts"
import type {
  CompleteTask,
  CreateTask,
  ExecuteTask,
  OptionalNote,
  PatchTask,
  ReorderTask,
  RequiredNote,
  TaskQuery
} from "./taskInputs.ts"
import { listTasks, type TaskList } from "./taskList.ts"
import {
  abortRun,
  approveTask,
  describeRun,
  patchTask,
  type RunDetails,
  type RunOutcome,
  rejectTask,
  reorderTask
} from "./taskRules.ts"
import { findTask, placedTask } from "./taskStore.ts"

/** One page of the board. */
export interface TaskPage extends TaskList {
  readonly limit: number
  readonly offset: number
  readonly hasMore: boolean
}

export interface BoardShape {
  readonly list: (query: TaskQuery) => Effect.Effect<TaskPage, StoreError>
  readonly get: (id: string) => Effect.Effect<Task, TaskNotFound | StoreError>
  readonly create: (input: CreateTask) => Effect.Effect<Task, StoreError>
  /** Changes the version the caller has seen; of several with one version exactly one wins. */
  readonly patch: (id: string, patch: PatchTask) => Effect.Effect<Task, TaskNotFound | VersionConflict | StoreError>
  readonly remove: (id: string) => Effect.Effect<void, TaskNotFound | StoreError>
  readonly reorder: (
    id: string,
    target: ReorderTask
  ) => Effect.Effect<Task, TaskNotFound | VersionConflict | StoreError>
  /** Starts a run under the given agent; a task that runs already is returned as it is. */
  readonly begin: (
    id: string,
    request: ExecuteTask,
    agentId: string
  ) => Effect.Effect<Task, TaskNotFound | InvalidTransition | StoreError>
  /** Ends the active run with an answer or an error; markers in the answer become proposals. */
  readonly complete: (
    id: string,
    outcome: CompleteTask
  ) => Effect.Effect<Task, TaskNotFound | InvalidTransition | StoreError>
  readonly approve: (
    id: string,
    note: OptionalNote
  ) => Effect.Effect<Task, TaskNotFound | InvalidTransition | StoreError>
  readonly reject: (
    id: string,
    note: RequiredNote
  ) => Effect.Effect<Task, TaskNotFound | InvalidTransition | StoreError>
  readonly abort: (id: string, note: OptionalNote) => Effect.Effect<Task, TaskNotFound | InvalidTransition | StoreError>
  /** The most recent first. */
  readonly proposals: (status: ProposalStatus | undefined) => Effect.Effect<ReadonlyArray<Proposal>, StoreError>
  readonly propose: (envelope: ProposalEnvelope) => Effect.Effect<Proposal, InvalidProposal | TaskNotFound | StoreError>
  readonly approveProposal: (
    id: string
  ) => Effect.Effect<ApprovedProposal, ProposalNotFound | AlreadyResolved | TaskNotFound | StoreError>
  readonly rejectProposal: (
    id: string,
    rejection: RejectProposal
  ) => Effect.Effect<Proposal, ProposalNotFound | AlreadyResolved | StoreError>
  readonly config: Effect.Effect<BoardConfig, StoreError>
  readonly updateConfig: (patch: BoardConfigPatch) => Effect.Effect<BoardConfig, StoreError>

  /** Runs to carry on with after a start, and stops the gateway has not been told yet. */
  readonly runs: (state: "active" | "stopping") => Effect.Effect<ReadonlyArray<RunOrder>, StoreError>
  /** Runs that begin or end from now on, until the scope closes. */
  readonly runChanges: Effect.Effect<PubSub.Subscription<RunChange>, never, Scope.Scope>
  /** Ends this very run; does nothing when it is no longer the active one. */
  readonly finish: (order: RunOrder, outcome: RunOutcome, about?: RunDetails) => Effect.Effect<void, StoreError>
  /** Adds what became known about a run that goes on. */
  readonly describeRun: (order: RunOrder, about: RunDetails) => Effect.Effect<void, StoreError>
  /** The gateway was told to stop this run. */
  readonly stopped: (sessionKey: string) => Effect.Effect<void, StoreError>
}

/** The task board: every rule of SPEC "Kanban", durable when a method returns, published after that (D40, D45). */
export class Board extends Context.Service<Board, BoardShape>()("agent-console/services/board/Board") {
  static readonly layer = Layer.effect(
    Board,
    Effect.gen(function* () {
      const sqlite = yield* Sqlite
      const events = yield* EventBus
      const runChanges = yield* PubSub.unbounded<RunChange>()
      yield* Effect.addFinalizer(() => PubSub.shutdown(runChanges))
      // Events go out in the order of the commits.
      const order = yield* Semaphore.make(1)

      const mutate = <A, E>(body: (context: MutationContext) => Result.Result<Mutation<A>, E>) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const done = yield* sqlite.transaction((db) =>
            body({ db, now, config: loadConfig(db), newId: () => randomUUID() })
          )
          for (const change of done.changes) yield* events.publish(KANBAN_CHANGED, change)
          for (const change of done.runs) yield* PubSub.publish(runChanges, change)
          return done.value
        }).pipe(order.withPermit, Effect.uninterruptible)

      return Board.of({
        list: (query) =>
          sqlite.read((db) => {
            const { items, total } = listTasks(db, query)
            const { limit, offset } = query
            return { items, total, limit, offset, hasMore: offset + items.length < total }
          }),
        get: Effect.fnUntraced(function* (id) {
          const task = yield* sqlite.read((db) => {
            const stored = findTask(db, id)
            return stored === undefined ? undefined : placedTask(db, stored)
          })
          return task ?? (yield* new TaskNotFound({ id }))
        }),
        create: (input) => mutate((context) => Result.succeed(addTask(context, input))),
        patch: (id, { version, ...changes }) =>
          mutate((context) =>
            compareAndSet(context, id, version, (before) => patchTask(before.content, changes, context.now))
          ),
        remove: (id) => mutate((context) => removeTask(context, id)),
        reorder: (id, { version, targetStatus, targetIndex }) =>
          mutate((context) =>
            compareAndSet(context, id, version, (before) =>
              reorderTask(before.content, targetStatus, targetIndex, context.now)
            )
          ),
        begin: (id, request, agentId) =>
          mutate((context) =>
            beginRun(context, id, {
              agentId,
              chooseModel: (task) => chooseModel(request.model, task.content.model, context.config.defaultModel),
              thinking: request.thinking
            })
          ),
        complete: Effect.fnUntraced(function* (id, { result, error }) {
          const answer = result === undefined ? undefined : readAnswer(result)
          const outcome: RunOutcome =
            error === undefined || error.trim().length === 0
              ? { type: "done", text: answer?.text }
              : { type: "error", error, stop: false }
          return yield* mutate((context) =>
            endRun(context, id, outcome, outcome.type === "done" ? (answer?.asks ?? []) : [])
          )
        }),
        approve: (id, { note }) =>
          mutate((context) => changeTask(context, id, (before) => approveTask(before.content, note, context.now))),
        reject: (id, { note }) =>
          mutate((context) => changeTask(context, id, (before) => rejectTask(before.content, note, context.now))),
        abort: (id, { note }) =>
          mutate((context) => changeTask(context, id, (before) => abortRun(before.content, note, context.now))),
        proposals: (status) => sqlite.read((db) => listProposals(db, status)),
        propose: Effect.fnUntraced(function* ({ type, payload, proposedBy, sourceSessionKey }) {
          const ask = yield* Effect.fromResult(decodeAsk(type, payload))
          const by = {
            proposedBy: proposedBy ?? "operator",
            ...optionalEntry("sourceSessionKey", sourceSessionKey)
          }
          return yield* mutate((context) => addProposal(context, ask, by))
        }),
        approveProposal: (id) => mutate((context) => resolveByApproval(context, id)),
        rejectProposal: (id, { reason }) => mutate((context) => resolveByRejection(context, id, reason)),
        config: sqlite.read(loadConfig),
        updateConfig: (patch) =>
          mutate(({ db, config }) => {
            const next = updateConfig(config, patch)
            saveConfig(db, next)
            return Result.succeed({ value: next, changes: [configChange(next)], runs: [] })
          }),
        runs: (state) => sqlite.read((db) => listRuns(db, state)),
        runChanges: PubSub.subscribe(runChanges),
        finish: Effect.fnUntraced(function* (run, outcome, about = {}) {
          const answer = outcome.type === "done" && outcome.text !== undefined ? readAnswer(outcome.text) : undefined
          const found: RunOutcome = answer === undefined ? outcome : { type: "done", text: answer.text }
          yield* mutate((context) =>
            endRun(context, run.taskId, found, answer?.asks ?? [], { sessionKey: run.sessionKey, about })
          ).pipe(
            // The run was ended by somebody else meanwhile: their word stands.
            Effect.catchTag(["TaskNotFound", "InvalidTransition"], () => Effect.void)
          )
        }),
        describeRun: (run, about) =>
          mutate((context) =>
            changeTask(context, run.taskId, (before) => describeRun(before.content, run.sessionKey, about, context.now))
          ).pipe(
            Effect.catchTag(["TaskNotFound", "InvalidTransition"], () => Effect.void),
            Effect.asVoid
          ),
        stopped: (sessionKey) =>
          mutate(({ db }) => {
            endRunOrder(db, sessionKey, false)
            return Result.succeed({ value: undefined, changes: [], runs: [] })
          })
      })
    })
  )
}
