import { Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { ofField } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"
import { Routine } from "../../contract/schema/routine.ts"
import { TaskTemplate } from "../../contract/schema/template.ts"
import {
  RoutineConflict,
  RoutineNotFound,
  TemplateConflict,
  TemplateNotFound,
  TitleMissing,
  TooManyRoutines,
  TooManyTemplates
} from "../../services/board/boardErrors.ts"
import { errorBody, onlyWritten } from "../errorBody.ts"

/** 404 `{error: "not_found"}`. */
export const RoutineNotFoundError = errorBody(RoutineNotFound, { code: "not_found", status: 404 })

/** 404 `{error: "not_found"}`. */
export const TemplateNotFoundError = errorBody(TemplateNotFound, { code: "not_found", status: 404 })

/** 409 for one routine more than a board keeps. */
export const TooManyRoutinesError = errorBody(TooManyRoutines, {
  code: "too_many",
  status: 409,
  details: ({ max }) => failure("TOO_MANY_ROUTINES", { max })
})

/** 409 for one template more than a board keeps. */
export const TooManyTemplatesError = errorBody(TooManyTemplates, {
  code: "too_many",
  status: 409,
  details: ({ max }) => failure("TOO_MANY_TEMPLATES", { max })
})

/** 400 `{error: "validation_error", details}`. */
export const TitleMissingError = errorBody(TitleMissing, {
  code: "validation_error",
  status: 400,
  details: () => ofField("title", failure("REQUIRED"))
})

const conflictBody = <Latest extends Schema.Top>(latest: Latest, identifier: string) =>
  Schema.Struct({ error: Schema.Literal("version_conflict"), serverVersion: Schema.Int, latest }).annotate({
    identifier
  })

const conflictOf = <Latest extends { readonly version: number }>({ latest }: { readonly latest: Latest }) => ({
  error: "version_conflict" as const,
  serverVersion: latest.version,
  latest
})

/** 409 `{error: "version_conflict", serverVersion, latest}`. */
export const RoutineConflictError = RoutineConflict.pipe(
  Schema.encodeTo(conflictBody(Routine, "RoutineConflict"), {
    decode: onlyWritten,
    encode: SchemaGetter.transform(conflictOf)
  }),
  HttpApiSchema.status(409)
)

/** 409 `{error: "version_conflict", serverVersion, latest}`. */
export const TemplateConflictError = TemplateConflict.pipe(
  Schema.encodeTo(conflictBody(TaskTemplate, "TemplateConflict"), {
    decode: onlyWritten,
    encode: SchemaGetter.transform(conflictOf)
  }),
  HttpApiSchema.status(409)
)
