import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { TaskAttempt } from "../../contract/schema/attempt.ts"
import { BoardConfig, BoardConfigPatch } from "../../contract/schema/boardConfig.ts"
import { AddComment, TaskComment } from "../../contract/schema/comment.ts"
import {
  ApprovedProposal,
  Proposal,
  ProposalEnvelope,
  ProposalStatus,
  RejectProposal
} from "../../contract/schema/proposal.ts"
import { SavedView, SaveView, ViewId } from "../../contract/schema/savedView.ts"
import { Task, TaskPage } from "../../contract/schema/task.ts"
import {
  CompleteTask,
  ExecuteTask,
  OptionalNote,
  PatchTask,
  ReorderTask,
  RequiredNote
} from "../../contract/schema/taskInputs.ts"
import { NewTask } from "../../contract/schema/template.ts"
import { TaskListQuery } from "../queryFields.ts"
import { Right, rights } from "../Right.ts"
import { UnknownGatewayError } from "../serviceErrors.ts"
import {
  AlreadyResolvedError,
  BoardUnavailable,
  BudgetPausedError,
  CommentNotFoundError,
  CycleFoundError,
  EverythingStoppedError,
  InvalidLinkError,
  InvalidProposalError,
  InvalidTransitionError,
  ProposalNotFoundError,
  ProposedTaskNotFoundError,
  StartBlockedError,
  StoreFailure,
  TaskNotFoundError,
  TooManyCommentsError,
  TooManyViewsError,
  UnknownTaskError,
  VersionConflictError,
  ViewNotFoundError
} from "./boardErrors.ts"
import { TemplateNotFoundError, TitleMissingError } from "./routineErrors.ts"

const params = { id: Schema.String }
const optional = <S extends Schema.Top>(schema: S) => [schema, HttpApiSchema.NoContent] as const

const step = [TaskNotFoundError, InvalidTransitionError, BoardUnavailable, StoreFailure] as const
const linked = [CycleFoundError, InvalidLinkError] as const
const compared = [TaskNotFoundError, VersionConflictError, BoardUnavailable, StoreFailure] as const

/** The task board. */
export class BoardApi extends HttpApiGroup.make("board")
  .add(
    HttpApiEndpoint.get("list", "/api/kanban/tasks", {
      query: TaskListQuery,
      success: TaskPage,
      error: [BoardUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "List tasks in board order, with filters and paging")
  )
  .add(
    HttpApiEndpoint.post("create", "/api/kanban/tasks", {
      payload: NewTask,
      success: Task.pipe(HttpApiSchema.status(201)),
      error: [TemplateNotFoundError, TitleMissingError, ...linked, BoardUnavailable, StoreFailure]
    }).annotate(
      OpenApi.Summary,
      "Create a task, or one as a template has it: other fields replace the template's, and null clears them"
    )
  )
  .add(
    HttpApiEndpoint.patch("patch", "/api/kanban/tasks/:id", {
      params,
      payload: PatchTask,
      success: Task,
      error: [...compared, ...linked]
    }).annotate(OpenApi.Summary, "Change a task, based on the `version` you read; null clears a field")
  )
  .add(
    HttpApiEndpoint.delete("remove", "/api/kanban/tasks/:id", {
      params,
      success: Schema.Struct({ ok: Schema.Literal(true) }),
      error: [TaskNotFoundError, BoardUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Delete a task and stop its run")
  )
  .add(
    HttpApiEndpoint.post("reorder", "/api/kanban/tasks/:id/reorder", {
      params,
      payload: ReorderTask,
      success: Task,
      error: compared
    }).annotate(OpenApi.Summary, "Move a task to a place in a column")
  )
  .add(
    HttpApiEndpoint.post("execute", "/api/kanban/tasks/:id/execute", {
      params,
      payload: optional(ExecuteTask),
      success: Task,
      error: [...step, UnknownGatewayError, BudgetPausedError, EverythingStoppedError, StartBlockedError]
    }).annotate(OpenApi.Summary, "Give a task to an agent")
  )
  .add(
    HttpApiEndpoint.post("complete", "/api/kanban/tasks/:id/complete", {
      params,
      payload: optional(CompleteTask),
      success: Task,
      error: step
    }).annotate(OpenApi.Summary, "Finish the active run with a result or an error")
  )
  .add(
    HttpApiEndpoint.post("approve", "/api/kanban/tasks/:id/approve", {
      params,
      payload: optional(OptionalNote),
      success: Task,
      error: step
    }).annotate(OpenApi.Summary, "Approve a task in review: moves it to done")
  )
  .add(
    HttpApiEndpoint.post("reject", "/api/kanban/tasks/:id/reject", {
      params,
      payload: RequiredNote,
      success: Task,
      error: step
    }).annotate(OpenApi.Summary, "Send a task in review back to To do, with a note for the agent")
  )
  .add(
    HttpApiEndpoint.post("abort", "/api/kanban/tasks/:id/abort", {
      params,
      payload: optional(OptionalNote),
      success: Task,
      error: step
    }).annotate(OpenApi.Summary, "Stop the active run: moves the task back to To do")
  )
  .add(
    HttpApiEndpoint.get("comments", "/api/kanban/tasks/:id/comments", {
      params,
      success: Schema.Struct({ comments: Schema.Array(TaskComment) }),
      error: [TaskNotFoundError, BoardUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "List a task's comments, oldest first")
  )
  .add(
    HttpApiEndpoint.get("attempts", "/api/kanban/tasks/:id/attempts", {
      params,
      success: Schema.Struct({ attempts: Schema.Array(TaskAttempt) }),
      error: [UnknownTaskError, BoardUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "List the runs a task has left behind with their results, oldest first")
  )
  .add(
    HttpApiEndpoint.post("comment", "/api/kanban/tasks/:id/comments", {
      params,
      payload: AddComment,
      success: TaskComment.pipe(HttpApiSchema.status(201)),
      error: [TaskNotFoundError, TooManyCommentsError, BoardUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Comment on a task, whatever its version; agents read it with their next attempt")
  )
  .add(
    HttpApiEndpoint.delete("removeComment", "/api/kanban/tasks/:id/comments/:commentId", {
      params: { ...params, commentId: Schema.String },
      success: Schema.Struct({ ok: Schema.Literal(true) }),
      error: [TaskNotFoundError, CommentNotFoundError, BoardUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Delete a comment")
  )
  .add(
    HttpApiEndpoint.get("views", "/api/kanban/views", {
      success: Schema.Struct({ views: Schema.Array(SavedView) }),
      error: [BoardUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "List the saved views, by name")
  )
  .add(
    HttpApiEndpoint.put("saveView", "/api/kanban/views/:id", {
      params: { id: ViewId },
      payload: SaveView,
      success: SavedView,
      error: [TooManyViewsError, BoardUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Save a view under an id of your choice, or replace the one that has it")
  )
  .add(
    HttpApiEndpoint.delete("removeView", "/api/kanban/views/:id", {
      params,
      success: Schema.Struct({ ok: Schema.Literal(true) }),
      error: [ViewNotFoundError, BoardUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Delete a saved view")
  )
  .add(
    HttpApiEndpoint.get("proposals", "/api/kanban/proposals", {
      query: { status: Schema.optionalKey(ProposalStatus) },
      success: Schema.Struct({ proposals: Schema.Array(Proposal) }),
      error: [BoardUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "List proposals, most recent first")
  )
  .add(
    HttpApiEndpoint.post("propose", "/api/kanban/proposals", {
      payload: ProposalEnvelope,
      success: Proposal.pipe(HttpApiSchema.status(201)),
      error: [InvalidProposalError, TaskNotFoundError, ...linked, BoardUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Propose a new task or a change")
  )
  .add(
    HttpApiEndpoint.post("approveProposal", "/api/kanban/proposals/:id/approve", {
      params,
      success: ApprovedProposal,
      error: [
        ProposalNotFoundError,
        ProposedTaskNotFoundError,
        AlreadyResolvedError,
        ...linked,
        BoardUnavailable,
        StoreFailure
      ]
    }).annotate(OpenApi.Summary, "Approve a proposal and apply it")
  )
  .add(
    HttpApiEndpoint.post("rejectProposal", "/api/kanban/proposals/:id/reject", {
      params,
      payload: optional(RejectProposal),
      success: Schema.Struct({
        proposal: Schema.Struct({
          id: Schema.String,
          status: ProposalStatus,
          reason: Schema.optionalKey(Schema.String)
        })
      }),
      error: [ProposalNotFoundError, AlreadyResolvedError, BoardUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Reject a proposal")
  )
  .add(
    HttpApiEndpoint.get("config", "/api/kanban/config", {
      success: BoardConfig,
      error: [BoardUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Get the board's configuration")
  )
  .add(
    HttpApiEndpoint.put("updateConfig", "/api/kanban/config", {
      payload: BoardConfigPatch,
      success: BoardConfig,
      error: [BoardUnavailable, StoreFailure]
    })
      .annotate(Right, "manage")
      .annotate(OpenApi.Summary, "Change the board's configuration; omitted fields are left unchanged")
  )
  .annotate(Right, rights("read", "talk"))
  .annotate(OpenApi.Title, "Task board")
  .annotate(OpenApi.Description, "Tasks, their runs by agents, proposals and the board's configuration.") {}
