import { Effect, Schema, type SchemaAST, type SchemaIssue, Struct } from "effect"
import { MAX_PATTERN_NAME } from "../board.ts"
import { failure } from "../failures.ts"
import { body, filledText, forbidden, maybe, required } from "./fields.ts"
import { RoutineTask } from "./routine.ts"
import { Title, Version } from "./task.ts"
import { CreateTask } from "./taskInputs.ts"

/** Most templates a board keeps. */
export const MAX_TEMPLATES = 200

const Name = filledText(MAX_PATTERN_NAME)

/** What a template's cards begin with. */
export const TemplateTask = body({ ...RoutineTask.fields, title: maybe(Title) })
export type TemplateTask = typeof TemplateTask.Type

/** A named beginning of new cards. */
export const TaskTemplate = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  task: TemplateTask,
  version: Version
}).annotate({ identifier: "TaskTemplate" })
export type TaskTemplate = typeof TaskTemplate.Type

/** Body of `POST /api/kanban/templates`. */
export const CreateTemplate = body({ name: required(Name), task: required(TemplateTask) })
export type CreateTemplate = typeof CreateTemplate.Type

/** Body of `PATCH /api/kanban/templates/:id`: absent fields stay; a `task` replaces the whole one. */
export const PatchTemplate = body({ version: required(Version), name: maybe(Name), task: maybe(TemplateTask) })
export type PatchTemplate = typeof PatchTemplate.Type

interface ClearableLambda extends Struct.Lambda {
  <S extends Schema.Top>(field: S): Schema.optionalKey<Schema.NullOr<S>>
  readonly "~lambda.out": this["~lambda.in"] extends Schema.Top
    ? Schema.optionalKey<Schema.NullOr<this["~lambda.in"]>>
    : never
}

/** The message for values of another type, which a union with null would lose. */
const messageOf = ({ annotations, checks }: SchemaAST.AST) => {
  const { message, why } = { ...checks?.[0].annotations, ...annotations }
  return typeof message === "string" ? { message, why } : {}
}

const clearable = Struct.lambda<ClearableLambda>((field) =>
  Schema.optionalKey(Schema.NullOr(field).annotate(messageOf(field.ast)))
)

/** A new task as a template has it, except for the fields of this body; `null` clears the template's. */
export const TaskFromTemplate = body({
  templateId: required(filledText(200)),
  ...Struct.map(CreateTask.fields, clearable)
})
export type TaskFromTemplate = typeof TaskFromTemplate.Type

const WithoutTemplate = body({ ...CreateTask.fields, templateId: forbidden })

const lacksTemplate = (issue: SchemaIssue.Issue): boolean =>
  issue._tag === "Composite" &&
  issue.issues.some(
    (part) => part._tag === "Pointer" && part.path[0] === "templateId" && part.issue._tag === "MissingKey"
  )

/** A body without a template is refused for what's wrong with a new task, and one with a template for the rest of it. */
const ofMeantKind = (issue: SchemaIssue.Issue): SchemaIssue.Issue => {
  if (issue._tag !== "AnyOf") return issue
  const [fromTemplate, plain] = issue.issues
  return (fromTemplate !== undefined && !lacksTemplate(fromTemplate) ? fromTemplate : plain) ?? issue
}

/** Body of `POST /api/kanban/tasks`. */
export const NewTask = Schema.Union([TaskFromTemplate, WithoutTemplate])
  .annotate(failure("BODY_MUST_BE_AN_OBJECT"))
  .pipe(Schema.catchDecoding((issue) => Effect.fail(ofMeantKind(issue))))
export type NewTask = typeof NewTask.Type
