import type { Effect, PubSub, Scope } from "effect"
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
import type { StoreError } from "../platform/sqlite/Sqlite.ts"
import type { AutomaticStarts } from "./automatic/automaticStarts.ts"
import type {
  AlreadyResolved,
  CommentNotFound,
  CycleFound,
  InvalidLink,
  InvalidProposal,
  InvalidTransition,
  ProposalNotFound,
  StartBlocked,
  TaskNotFound,
  TooManyComments,
  TooManyViews,
  VersionConflict,
  ViewNotFound
} from "./boardErrors.ts"
import type { RunChange, RunNote, RunOrder } from "./boardEvents.ts"
import type { ApprovedProposal } from "./proposals/proposalMutations.ts"
import type { HandedOver } from "./runs/handOver.ts"
import type { RunLeases } from "./runs/RunLeases.ts"
import type { SessionResponse } from "./store/proposalStore.ts"
import type { RunDetails, RunOutcome } from "./tasks/taskRules.ts"

/** One page of the board, of tasks as they are or as JSON. */
export interface PageOf<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly hasMore: boolean
}
export type TaskPage = PageOf<Task>

export interface BoardShape {
  readonly list: (query: TaskQuery) => Effect.Effect<TaskPage, StoreError>
  /** The same page as JSON; only the tasks that changed since the last request are encoded. */
  readonly listText: (query: TaskQuery) => Effect.Effect<string, StoreError>
  readonly get: (id: string) => Effect.Effect<Task, TaskNotFound | StoreError>
  /** Tasks that wait for a review, and tasks to be done whose last run may have failed. */
  readonly waiting: Effect.Effect<ReadonlyArray<Task>, StoreError>
  readonly create: (input: CreateTask) => Effect.Effect<Task, CycleFound | InvalidLink | StoreError>
  /** Changes the version the caller has seen; of several changes to one version, exactly one wins. */
  readonly patch: (
    id: string,
    patch: PatchTask
  ) => Effect.Effect<Task, TaskNotFound | VersionConflict | CycleFound | InvalidLink | StoreError>
  readonly remove: (id: string) => Effect.Effect<void, TaskNotFound | StoreError>
  readonly reorder: (
    id: string,
    target: ReorderTask
  ) => Effect.Effect<Task, TaskNotFound | VersionConflict | StoreError>
  /**
   * Starts a run with the given agent; a task that's already running is returned unchanged. Unless it's forced, other
   * cards that aren't done and its time hold it.
   */
  readonly begin: (
    id: string,
    request: ExecuteTask,
    agentId: string
  ) => Effect.Effect<Task, TaskNotFound | InvalidTransition | StartBlocked | StoreError>
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
  /** What those of these cards that are done hand over, in their order; nothing where the board is set to. */
  readonly results: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<HandedOver>, StoreError>
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
  /** `self` as a parent is the card `ownCard`. */
  readonly propose: (
    envelope: ProposalEnvelope,
    ownCard?: string
  ) => Effect.Effect<Proposal, InvalidProposal | TaskNotFound | CycleFound | InvalidLink | StoreError>
  /** Proposes what the markers in a session's response ask for, once for each response. */
  readonly proposeFromSession: (response: SessionResponse, text: string) => Effect.Effect<void, StoreError>
  readonly approveProposal: (
    id: string
  ) => Effect.Effect<
    ApprovedProposal,
    ProposalNotFound | AlreadyResolved | TaskNotFound | CycleFound | InvalidLink | StoreError
  >
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
