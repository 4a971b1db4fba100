import { Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import {
  AlreadyResolved,
  InvalidProposal,
  InvalidTransition,
  ProposalNotFound,
  TaskNotFound,
  VersionConflict
} from "../../services/board/boardErrors.ts"
import { optionalEntry } from "../../services/board/optionalEntry.ts"
import { Proposal } from "../../services/board/proposal.ts"
import { Task, TaskStatus } from "../../services/board/task.ts"
import { StoreError } from "../../services/sqlite/Sqlite.ts"

// The bodies are only ever written: what comes back to a client of ours is decoded from the body, not into the error.
const written = SchemaGetter.forbidden<never, unknown>(() => "error bodies are only written")

const NotFoundBody = Schema.Struct({
  error: Schema.Literal("not_found"),
  details: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "BoardNotFound" })

const notFound = { error: "not_found" } as const

/** 404 `{error: "not_found"}`. */
export const TaskNotFoundError = TaskNotFound.pipe(
  Schema.encodeTo(NotFoundBody, { decode: written, encode: SchemaGetter.transform(() => notFound) }),
  HttpApiSchema.status(404)
)

/** 404 where a proposal is there and its task is not. */
export const ProposedTaskNotFoundError = TaskNotFound.pipe(
  Schema.encodeTo(NotFoundBody, {
    decode: written,
    encode: SchemaGetter.transform(() => ({
      ...notFound,
      details: "the task of this proposal no longer exists: reject the proposal"
    }))
  }),
  HttpApiSchema.status(404)
)

/** 404 `{error: "not_found"}`. */
export const ProposalNotFoundError = ProposalNotFound.pipe(
  Schema.encodeTo(NotFoundBody, { decode: written, encode: SchemaGetter.transform(() => notFound) }),
  HttpApiSchema.status(404)
)

/** 409 `{error: "version_conflict", serverVersion, latest}` (SPEC "Errors"). */
export const VersionConflictError = VersionConflict.pipe(
  Schema.encodeTo(
    Schema.Struct({ error: Schema.Literal("version_conflict"), serverVersion: Schema.Int, latest: Task }).annotate({
      identifier: "VersionConflict"
    }),
    {
      decode: written,
      encode: SchemaGetter.transform(({ latest }) => ({
        error: "version_conflict" as const,
        serverVersion: latest.version,
        latest
      }))
    }
  ),
  HttpApiSchema.status(409)
)

/** 409 `{error: "invalid_transition", from, to}`, with a sentence that says why. */
export const InvalidTransitionError = InvalidTransition.pipe(
  Schema.encodeTo(
    Schema.Struct({
      error: Schema.Literal("invalid_transition"),
      from: TaskStatus,
      to: TaskStatus,
      details: Schema.optionalKey(Schema.String)
    }).annotate({ identifier: "InvalidTransition" }),
    {
      decode: written,
      encode: SchemaGetter.transform(({ from, to, details }) => ({
        error: "invalid_transition" as const,
        from,
        to,
        ...optionalEntry("details", details)
      }))
    }
  ),
  HttpApiSchema.status(409)
)

/** 409 `{error: "already_resolved", proposal}`. */
export const AlreadyResolvedError = AlreadyResolved.pipe(
  Schema.encodeTo(
    Schema.Struct({ error: Schema.Literal("already_resolved"), proposal: Proposal }).annotate({
      identifier: "AlreadyResolved"
    }),
    {
      decode: written,
      encode: SchemaGetter.transform(({ proposal }) => ({ error: "already_resolved" as const, proposal }))
    }
  ),
  HttpApiSchema.status(409)
)

/** 400 `{error: "validation_error", details}` for a payload that does not fit its proposal type. */
export const InvalidProposalError = InvalidProposal.pipe(
  Schema.encodeTo(
    Schema.Struct({ error: Schema.Literal("validation_error"), details: Schema.String }).annotate({
      identifier: "InvalidProposal"
    }),
    {
      decode: written,
      encode: SchemaGetter.transform(({ details }) => ({ error: "validation_error" as const, details }))
    }
  ),
  HttpApiSchema.status(400)
)

/** 500 with a sentence, such as for a full disk; nothing was changed. */
export const StoreFailure = StoreError.pipe(
  Schema.encodeTo(
    Schema.Struct({ error: Schema.Literal("store_failure"), details: Schema.String }).annotate({
      identifier: "StoreFailure"
    }),
    {
      decode: written,
      encode: SchemaGetter.transform(({ message }) => ({ error: "store_failure" as const, details: message }))
    }
  ),
  HttpApiSchema.status(500)
)
