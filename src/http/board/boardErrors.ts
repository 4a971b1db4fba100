import { Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { failure } from "../../contract/failures.ts"
import { Budget, StopState } from "../../contract/schema/budget.ts"
import { detailsFields } from "../../contract/schema/failure.ts"
import { Proposal } from "../../contract/schema/proposal.ts"
import { type Task, TaskStatus, VersionConflictBody, WaitReason } from "../../contract/schema/task.ts"
import {
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
} from "../../services/board/boardErrors.ts"
import { BudgetPaused, EverythingStopped } from "../../services/holds/StartHolds.ts"
import { StoreError } from "../../services/platform/sqlite/Sqlite.ts"
import { detailsOf, errorBody, onlyWritten } from "../errorBody.ts"

/** 404 `{error: "not_found"}`. */
export const TaskNotFoundError = errorBody(TaskNotFound, { code: "not_found", status: 404 })

/** The same where the task is what a request asks about, in one sentence. */
export const UnknownTaskError = errorBody(TaskNotFound, {
  code: "not_found",
  status: 404,
  details: () => failure("TASK_NOT_FOUND")
})

/** 404 `{error: "not_found"}`. */
export const CommentNotFoundError = errorBody(CommentNotFound, { code: "not_found", status: 404 })

/** 409 for one comment more than a task keeps. */
export const TooManyCommentsError = errorBody(TooManyComments, {
  code: "too_many_comments",
  status: 409,
  details: ({ max }) => failure("TOO_MANY_COMMENTS", { max })
})

/** 404 `{error: "not_found"}`. */
export const ViewNotFoundError = errorBody(ViewNotFound, { code: "not_found", status: 404 })

/** 409 for one view more than a board keeps. */
export const TooManyViewsError = errorBody(TooManyViews, {
  code: "too_many_views",
  status: 409,
  details: ({ max }) => failure("TOO_MANY_VIEWS", { max })
})

/** 404 if the proposal exists but its task doesn't. */
export const ProposedTaskNotFoundError = errorBody(TaskNotFound, {
  code: "not_found",
  status: 404,
  details: () => failure("PROPOSED_TASK_GONE")
})

/** 404 `{error: "not_found"}`. */
export const ProposalNotFoundError = errorBody(ProposalNotFound, { code: "not_found", status: 404 })

/** 409 `{error: "version_conflict", serverVersion, latest}`. */
export const VersionConflictError = VersionConflict.pipe(
  Schema.encodeTo(Schema.toEncoded(VersionConflictBody), {
    decode: onlyWritten,
    encode: SchemaGetter.transform(({ latest }: { readonly latest: typeof Task.Encoded }) => ({
      error: "version_conflict" as const,
      serverVersion: latest.version,
      latest
    }))
  }),
  HttpApiSchema.status(409)
)

/** 409 `{error: "invalid_transition", from, to}`, with a sentence that says why. */
export const InvalidTransitionError = InvalidTransition.pipe(
  Schema.encodeTo(
    Schema.Struct({
      error: Schema.Literal("invalid_transition"),
      from: TaskStatus,
      to: TaskStatus,
      ...detailsFields
    }).annotate({ identifier: "InvalidTransition" }),
    {
      decode: onlyWritten,
      encode: SchemaGetter.transform(({ from, to, failure: why }) => ({
        error: "invalid_transition" as const,
        from,
        to,
        ...detailsOf(why)
      }))
    }
  ),
  HttpApiSchema.status(409)
)

/** 409 `{error: "budget_paused", budget}`. */
export const BudgetPausedError = BudgetPaused.pipe(
  Schema.encodeTo(
    Schema.Struct({ error: Schema.Literal("budget_paused"), budget: Budget }).annotate({ identifier: "BudgetPaused" }),
    {
      decode: onlyWritten,
      encode: SchemaGetter.transform(({ budget }) => ({ error: "budget_paused" as const, budget }))
    }
  ),
  HttpApiSchema.status(409)
)

/** 409 `{error: "stopped", stop}`. */
export const EverythingStoppedError = EverythingStopped.pipe(
  Schema.encodeTo(
    Schema.Struct({ error: Schema.Literal("stopped"), stop: StopState }).annotate({ identifier: "EverythingStopped" }),
    {
      decode: onlyWritten,
      encode: SchemaGetter.transform(({ stop }) => ({ error: "stopped" as const, stop }))
    }
  ),
  HttpApiSchema.status(409)
)

/** 409 `{error: "blocked", waitsFor}`. */
export const StartBlockedError = StartBlocked.pipe(
  Schema.encodeTo(
    Schema.Struct({ error: Schema.Literal("blocked"), waitsFor: Schema.Array(WaitReason) }).annotate({
      identifier: "StartBlocked"
    }),
    {
      decode: onlyWritten,
      encode: SchemaGetter.transform(({ waitsFor }) => ({ error: "blocked" as const, waitsFor }))
    }
  ),
  HttpApiSchema.status(409)
)

/** 409 `{error: "cycle", path}`. */
export const CycleFoundError = CycleFound.pipe(
  Schema.encodeTo(
    Schema.Struct({ error: Schema.Literal("cycle"), path: Schema.Array(Schema.String) }).annotate({
      identifier: "CycleFound"
    }),
    {
      decode: onlyWritten,
      encode: SchemaGetter.transform(({ path }) => ({ error: "cycle" as const, path }))
    }
  ),
  HttpApiSchema.status(409)
)

/** 400 `{error: "validation_error", details}` for a card that can't be linked to. */
export const InvalidLinkError = errorBody(InvalidLink, {
  code: "validation_error",
  status: 400,
  details: (refused) => refused
})

/** 409 `{error: "already_resolved", proposal}`. */
export const AlreadyResolvedError = AlreadyResolved.pipe(
  Schema.encodeTo(
    Schema.Struct({ error: Schema.Literal("already_resolved"), proposal: Proposal }).annotate({
      identifier: "AlreadyResolved"
    }),
    {
      decode: onlyWritten,
      encode: SchemaGetter.transform(({ proposal }) => ({ error: "already_resolved" as const, proposal }))
    }
  ),
  HttpApiSchema.status(409)
)

/** 400 `{error: "validation_error", details}` for a payload that doesn't fit its proposal type. */
export const InvalidProposalError = errorBody(InvalidProposal, {
  code: "validation_error",
  status: 400,
  details: (refused) => refused
})

const isUnavailable = Schema.makeFilter(({ reason }: StoreError) => reason === "unavailable")

/**
 * 503 `{error: "board_unavailable"}` while the database of a board that several consoles share can't be used, or the
 * board's file was replaced under the running console.
 */
export const BoardUnavailable = errorBody(Schema.toType(StoreError).check(isUnavailable), {
  code: "board_unavailable",
  status: 503,
  details: (failure) => failure
})

/** The same for other data in the console's own database. */
export const StoreUnavailable = errorBody(Schema.toType(StoreError).check(isUnavailable), {
  code: "store_unavailable",
  status: 503,
  details: (failure) => failure
})

/** 500 with a sentence, for example for a full disk; nothing was changed. */
export const StoreFailure = errorBody(StoreError, {
  code: "store_failure",
  status: 500,
  details: (failure) => failure
})
