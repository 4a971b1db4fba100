import { Context, Effect, Layer, PubSub, type Scope } from "effect"
import type { TaskAttempt } from "../../contract/schema/attempt.ts"
import type { BoardConfig, BoardConfigPatch } from "../../contract/schema/boardConfig.ts"
import type { AddComment, TaskComment } from "../../contract/schema/comment.ts"
import type { Proposal, ProposalEnvelope, ProposalStatus, RejectProposal } from "../../contract/schema/proposal.ts"
import type { SavedView, SaveView } from "../../contract/schema/savedView.ts"
import type { RunPause, Task } from "../../contract/schema/task.ts"
import type {
  CompleteTask,
  CreateTask,
  ExecuteTask,
  OptionalNote,
  PatchTask,
  ReorderTask,
  RequiredNote,
  TaskQuery
} from "../../contract/schema/taskInputs.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import type { StoreError } from "../platform/sqlite/Sqlite.ts"
import { type AutomaticStarts, makeAutomaticStarts } from "./automatic/automaticStarts.ts"
import { authorFor, PersonName } from "./BoardPerson.ts"
import { loadConfig, saveConfig, updateConfig } from "./boardConfig.ts"
import {
  type AlreadyResolved,
  type CommentNotFound,
  type InvalidProposal,
  type InvalidTransition,
  type ProposalNotFound,
  TaskNotFound,
  type TooManyComments,
  type TooManyViews,
  type VersionConflict,
  type ViewNotFound
} from "./boardErrors.ts"
import { configChange, type RunChange, type RunNote, type RunOrder, withoutEvents } from "./boardEvents.ts"
import {
  type ApprovedProposal,
  addComment,
  addProposal,
  addTask,
  beginRun,
  changeRun,
  changeTask,
  compareAndSet,
  endRun,
  proposeFromSession,
  removeComment,
  removeTask,
  resolveByApproval,
  resolveByRejection,
  seenTask
} from "./boardMutations.ts"
import { boardTransaction } from "./boardTransaction.ts"
import { decodeAsk, readAnswer } from "./proposals/readAnswer.ts"
import { makeLeases, type RunLeases } from "./runs/RunLeases.ts"
import { runNotes } from "./runs/runNotes.ts"
import { listAttempts } from "./store/attemptStore.ts"
import { clearBreaker } from "./store/automaticStore.ts"
import { type BoardDb, BoardStore } from "./store/BoardStore.ts"
import { listComments } from "./store/commentStore.ts"
import { owedStops } from "./store/leaseRows.ts"
import { listProposals, type SessionResponse } from "./store/proposalStore.ts"
import { endRunOrder, listRuns } from "./store/runStore.ts"
import { listTasks, listTaskTexts } from "./store/taskList.ts"
import { findTask, findWaiting, placedTask } from "./store/taskStore.ts"
import { makeTaskTexts } from "./store/taskTexts.ts"
import { listViews, removeView, saveView } from "./store/viewStore.ts"
import {
  abortRun,
  abortStopped,
  approveTask,
  patchTask,
  pauseRun,
  type RunDetails,
  type RunOutcome,
  rejectTask,
  reorderTask,
  resumeRun
} from "./tasks/taskRules.ts"

/** A run's model if neither request, task nor board names one and the gateway offers it. */
export const FALLBACK_MODEL = "anthropic/claude-sonnet-4-5"

/** The model for a run, from the first place that names one, and whether it's only the fallback. */
const chooseModel = (
  ...named: ReadonlyArray<string | undefined>
): { readonly model: string; readonly isFallback: boolean } => {
  const model = named.find((candidate) => candidate !== undefined)
  return model === undefined ? { model: FALLBACK_MODEL, isFallback: true } : { model, isFallback: false }
}

/** One page of the board, of tasks as they are or as JSON. */
interface PageOf<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly hasMore: boolean
}
export type TaskPage = PageOf<Task>

const pageOf = <A>({ limit, offset }: TaskQuery, { items, total }: Pick<PageOf<A>, "items" | "total">): PageOf<A> => ({
  items,
  total,
  limit,
  offset,
  hasMore: offset + items.length < total
})

export interface BoardShape {
  readonly list: (query: TaskQuery) => Effect.Effect<TaskPage, StoreError>
  /** The same page as JSON; only the tasks that changed since the last request are encoded. */
  readonly listText: (query: TaskQuery) => Effect.Effect<string, StoreError>
  readonly get: (id: string) => Effect.Effect<Task, TaskNotFound | StoreError>
  /** Tasks that wait for a review, and tasks to be done whose last run may have failed. */
  readonly waiting: Effect.Effect<ReadonlyArray<Task>, StoreError>
  readonly create: (input: CreateTask) => Effect.Effect<Task, StoreError>
  /** Changes the version the caller has seen; of several changes to one version, exactly one wins. */
  readonly patch: (id: string, patch: PatchTask) => Effect.Effect<Task, TaskNotFound | VersionConflict | StoreError>
  readonly remove: (id: string) => Effect.Effect<void, TaskNotFound | StoreError>
  readonly reorder: (
    id: string,
    target: ReorderTask
  ) => Effect.Effect<Task, TaskNotFound | VersionConflict | StoreError>
  /** Starts a run with the given agent; a task that's already running is returned unchanged. */
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
  /** The same with a result, for the version that the caller has seen. */
  readonly completeSeen: (
    id: string,
    version: number,
    result: string
  ) => Effect.Effect<Task, TaskNotFound | VersionConflict | InvalidTransition | StoreError>
  readonly approve: (
    id: string,
    note: OptionalNote
  ) => Effect.Effect<Task, TaskNotFound | InvalidTransition | StoreError>
  readonly reject: (
    id: string,
    note: RequiredNote
  ) => Effect.Effect<Task, TaskNotFound | InvalidTransition | StoreError>
  readonly abort: (id: string, note: OptionalNote) => Effect.Effect<Task, TaskNotFound | InvalidTransition | StoreError>
  /** Oldest first. */
  readonly comments: (id: string) => Effect.Effect<ReadonlyArray<TaskComment>, TaskNotFound | StoreError>
  /** The runs that a task has left behind, oldest first. */
  readonly attempts: (id: string) => Effect.Effect<ReadonlyArray<TaskAttempt>, TaskNotFound | StoreError>
  /** Adds a comment to any version of a task, which creates a new version. */
  readonly comment: (
    id: string,
    comment: AddComment
  ) => Effect.Effect<TaskComment, TaskNotFound | TooManyComments | StoreError>
  readonly removeComment: (
    id: string,
    commentId: string
  ) => Effect.Effect<void, TaskNotFound | CommentNotFound | StoreError>
  /** By name. */
  readonly views: Effect.Effect<ReadonlyArray<SavedView>, StoreError>
  readonly saveView: (id: string, view: SaveView) => Effect.Effect<SavedView, TooManyViews | StoreError>
  readonly removeView: (id: string) => Effect.Effect<void, ViewNotFound | StoreError>
  /** Most recent first. */
  readonly proposals: (status: ProposalStatus | undefined) => Effect.Effect<ReadonlyArray<Proposal>, StoreError>
  readonly propose: (envelope: ProposalEnvelope) => Effect.Effect<Proposal, InvalidProposal | TaskNotFound | StoreError>
  /** Proposes what the markers in a session's response ask for, once for each response. */
  readonly proposeFromSession: (response: SessionResponse, text: string) => Effect.Effect<void, StoreError>
  readonly approveProposal: (
    id: string
  ) => Effect.Effect<ApprovedProposal, ProposalNotFound | AlreadyResolved | TaskNotFound | StoreError>
  readonly rejectProposal: (
    id: string,
    rejection: RejectProposal
  ) => Effect.Effect<Proposal, ProposalNotFound | AlreadyResolved | StoreError>
  readonly config: Effect.Effect<BoardConfig, StoreError>
  readonly updateConfig: (patch: BoardConfigPatch) => Effect.Effect<BoardConfig, StoreError>

  /** Runs to resume after a start, and stops not yet sent to the gateway. */
  readonly runs: (state: "active" | "stopping") => Effect.Effect<ReadonlyArray<RunOrder>, StoreError>
  /** Of a board that several consoles share: which runs are this console's. */
  readonly leases: RunLeases | undefined
  /** Cards that start by themselves. */
  readonly automatic: AutomaticStarts
  /** Runs that begin or end, from now until the scope closes. */
  readonly runChanges: Effect.Effect<PubSub.Subscription<RunChange>, never, Scope.Scope>
  /** Log lines about what agents do for the board, from now until the scope closes. */
  readonly notes: Effect.Effect<PubSub.Subscription<RunNote>, never, Scope.Scope>
  /** Ends this run; does nothing if it's no longer the active one. */
  readonly finish: (order: RunOrder, outcome: RunOutcome, about?: RunDetails) => Effect.Effect<void, StoreError>
  /** Pauses the active run of a card in this session, whose turn is about to be stopped. */
  readonly pauseRun: (id: string, sessionKey: string, paused: RunPause) => Effect.Effect<void, StoreError>
  /** Lets it go on with the message of this id; false if that run isn't active any more. */
  readonly resumeRun: (id: string, sessionKey: string, runId: string) => Effect.Effect<boolean, StoreError>
  /** Returns the card of a run that the stop of everything has stopped. */
  readonly abortStopped: (id: string, sessionKey: string, reason: string) => Effect.Effect<void, StoreError>
  /** Records that the stop of this run was sent to the gateway. */
  readonly stopped: (sessionKey: string) => Effect.Effect<void, StoreError>
}

const seqOf = Effect.fnUntraced(function* (db: BoardDb, id: string) {
  const { seq } = (yield* findTask(db, id)) ?? (yield* new TaskNotFound({ id }))
  return seq
})

/** The task board: every change durable when a method returns, published after that. */
export class Board extends Context.Service<Board, BoardShape>()("agent-console/services/board/Board") {
  static readonly layer = Layer.effect(
    Board,
    Effect.gen(function* () {
      const store = yield* BoardStore
      const events = yield* EventBus
      const runChanges = yield* PubSub.unbounded<RunChange>()
      yield* Effect.addFinalizer(() => PubSub.shutdown(runChanges))
      const notes = yield* PubSub.unbounded<RunNote>()
      yield* Effect.addFinalizer(() => PubSub.shutdown(notes))
      const texts = makeTaskTexts()

      yield* store.follow(
        Effect.fnUntraced(function* ({ changes, runs, notes: more = [] }) {
          for (const change of changes) yield* events.publish({ event: "kanban.changed", data: change })
          for (const change of runs) yield* PubSub.publish(runChanges, change)
          for (const note of [...runNotes(changes, runs), ...more]) yield* PubSub.publish(notes, note)
        })
      )

      const self = store.shared?.self
      const person = yield* PersonName
      const mutate = yield* boardTransaction

      return Board.of({
        list: (query) => store.read((db) => Effect.map(listTasks(db, query), (found) => pageOf(query, found))),
        listText: (query) =>
          store.read((db) =>
            Effect.map(listTaskTexts(db, query, texts), (found) => {
              const { items, ...page } = pageOf(query, found)
              let text = '{"items":['
              // Added one by one, a page is put together once, when it's sent.
              for (const [index, item] of items.entries()) text += index === 0 ? item : `,${item}`
              return `${text}],${JSON.stringify(page).slice(1)}`
            })
          ),
        get: (id) =>
          store.read(
            Effect.fnUntraced(function* (db) {
              return yield* placedTask(db, (yield* findTask(db, id)) ?? (yield* new TaskNotFound({ id })))
            })
          ),
        waiting: store.read(
          Effect.fnUntraced(function* (db) {
            return yield* Effect.all((yield* findWaiting(db)).map((stored) => placedTask(db, stored)))
          })
        ),
        create: (input) => mutate((context) => addTask(context, input)),
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
          const used = outcome.type === "done" ? answer : undefined
          return yield* mutate((context) => endRun(context, id, outcome, used))
        }),
        completeSeen: Effect.fnUntraced(function* (id, version, result) {
          const answer = readAnswer(result)
          return yield* mutate((context) =>
            Effect.andThen(
              seenTask(context, id, version),
              endRun(context, id, { type: "done", text: answer.text }, answer)
            )
          )
        }),
        approve: (id, { note }) =>
          mutate((context) =>
            changeTask(context, id, ({ content }) => approveTask(content, note, context.now, context.by), "approved")
          ),
        reject: (id, { note }) =>
          mutate((context) =>
            changeTask(context, id, ({ content }) => rejectTask(content, note, context.now, context.by), "sent-back")
          ),
        abort: (id, { note }) =>
          mutate((context) =>
            changeTask(context, id, ({ content }) => abortRun(content, note, context.now, context.by), "stopped")
          ),
        comments: (id) => store.read((db) => Effect.flatMap(seqOf(db, id), (seq) => listComments(db, seq))),
        attempts: (id) => store.read((db) => Effect.flatMap(seqOf(db, id), (seq) => listAttempts(db, seq))),
        comment: (id, { text }) =>
          Effect.flatMap(authorFor(person), (by) => mutate((context) => addComment(context, id, by, text))),
        removeComment: (id, commentId) => mutate((context) => removeComment(context, id, commentId)),
        views: store.read(listViews),
        saveView: (id, view) => store.mutate((db) => saveView(db, id, view)),
        removeView: (id) => store.mutate((db) => removeView(db, id)),
        proposals: (status) => store.read((db) => listProposals(db, status)),
        propose: Effect.fnUntraced(function* ({ type, payload, proposedBy, sourceSessionKey }) {
          const ask = yield* Effect.fromResult(decodeAsk(type, payload))
          const by = {
            proposedBy: proposedBy ?? "operator",
            ...optionalEntry("sourceSessionKey", sourceSessionKey)
          }
          return yield* mutate((context) => addProposal(context, ask, by))
        }),
        proposeFromSession: (response, text) => {
          const { asks } = readAnswer(text)
          return asks.length === 0 ? Effect.void : mutate((context) => proposeFromSession(context, response, asks))
        },
        approveProposal: (id) => mutate((context) => resolveByApproval(context, id)),
        rejectProposal: (id, { reason }) => mutate((context) => resolveByRejection(context, id, reason)),
        config: store.read(loadConfig),
        updateConfig: (patch) =>
          mutate(({ db, config }) => {
            const next = updateConfig(config, patch)
            const changed = { value: next, changes: [configChange(next)], runs: [] }
            const counted = patch.parallel?.paused === false ? clearBreaker(db) : Effect.void
            return Effect.as(Effect.andThen(saveConfig(db, next), counted), changed)
          }),
        runs: (state) =>
          store.read((db) => (self === undefined || state === "active" ? listRuns(db, state) : owedStops(db, self))),
        automatic: makeAutomaticStarts(
          { mutate, read: store.read },
          ({ config }) =>
            ({ content }) =>
              chooseModel(content.model, config.defaultModel)
        ),
        leases: self === undefined ? undefined : makeLeases(self, { mutate, read: store.read }),
        runChanges: PubSub.subscribe(runChanges),
        notes: PubSub.subscribe(notes),
        finish: Effect.fnUntraced(function* (run, outcome, about = {}) {
          const answer = outcome.type === "done" && outcome.text !== undefined ? readAnswer(outcome.text) : undefined
          const found: RunOutcome = answer === undefined ? outcome : { type: "done", text: answer.text }
          const only = { order: run, about }
          yield* mutate((context) => endRun(context, run.taskId, found, answer, only)).pipe(
            // Something else ended the run meanwhile, and that takes precedence.
            Effect.catchTag(["TaskNotFound", "InvalidTransition"], () => Effect.void)
          )
        }),
        pauseRun: (id, sessionKey, paused) =>
          mutate((context) => changeRun(context, id, (task) => pauseRun(task, sessionKey, paused, context.now))).pipe(
            Effect.asVoid,
            Effect.catchTag("TaskNotFound", () => Effect.void)
          ),
        resumeRun: (id, sessionKey, runId) =>
          mutate((context) =>
            changeRun(
              context,
              id,
              (task) =>
                task.run?.runId === runId && task.run.paused === undefined
                  ? undefined
                  : resumeRun(task, sessionKey, runId, context.now),
              { sessionKey, runId }
            )
          ).pipe(Effect.catchTag("TaskNotFound", () => Effect.succeed(false))),
        abortStopped: (id, sessionKey, reason) =>
          mutate((context) =>
            changeRun(context, id, (task) => abortStopped(task, sessionKey, reason, context.now, context.by))
          ).pipe(
            Effect.asVoid,
            Effect.catchTag("TaskNotFound", () => Effect.void)
          ),
        stopped: (sessionKey) => store.mutate((db) => Effect.map(endRunOrder(db, sessionKey, false), withoutEvents))
      })
    })
  )
}
