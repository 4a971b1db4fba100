import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Done } from "../../contract/schema/fields.ts"
import { CreateRoutine, PatchRoutine, Routine } from "../../contract/schema/routine.ts"
import { Task } from "../../contract/schema/task.ts"
import { CreateTemplate, PatchTemplate, TaskTemplate } from "../../contract/schema/template.ts"
import { Right, rights } from "../Right.ts"
import { BoardUnavailable, InvalidLinkError, StoreFailure } from "./boardErrors.ts"
import {
  RoutineConflictError,
  RoutineNotFoundError,
  TemplateConflictError,
  TemplateNotFoundError,
  TooManyRoutinesError,
  TooManyTemplatesError
} from "./routineErrors.ts"

const params = { id: Schema.String }
const store = [BoardUnavailable, StoreFailure] as const

/** Recurring cards and templates of the board. */
export class RoutinesApi extends HttpApiGroup.make("routines")
  .add(
    HttpApiEndpoint.get("list", "/api/kanban/routines", {
      success: Schema.Struct({ routines: Schema.Array(Routine) }),
      error: store
    }).annotate(OpenApi.Summary, "List the recurring cards, by name"),
    HttpApiEndpoint.post("create", "/api/kanban/routines", {
      payload: CreateRoutine,
      success: Routine.pipe(HttpApiSchema.status(201)),
      error: [InvalidLinkError, TooManyRoutinesError, ...store]
    }).annotate(
      OpenApi.Summary,
      "Add a recurring card: a schedule of five fields, and the task, in whose title {date} and {n} are filled in"
    ),
    HttpApiEndpoint.patch("change", "/api/kanban/routines/:id", {
      params,
      payload: PatchRoutine,
      success: Routine,
      error: [RoutineNotFoundError, RoutineConflictError, InvalidLinkError, ...store]
    }).annotate(OpenApi.Summary, "Change a recurring card, based on the `version` you read"),
    HttpApiEndpoint.delete("remove", "/api/kanban/routines/:id", {
      params,
      success: Done,
      error: [RoutineNotFoundError, ...store]
    }).annotate(OpenApi.Summary, "Delete a recurring card; the cards that it made stay"),
    HttpApiEndpoint.post("run", "/api/kanban/routines/:id/run", {
      params,
      success: Task.pipe(HttpApiSchema.status(201)),
      error: [RoutineNotFoundError, ...store]
    }).annotate(OpenApi.Summary, "Make a card now, also of a disabled one and while the last card is open"),
    HttpApiEndpoint.get("templates", "/api/kanban/templates", {
      success: Schema.Struct({ templates: Schema.Array(TaskTemplate) }),
      error: store
    }).annotate(OpenApi.Summary, "List the templates, by name"),
    HttpApiEndpoint.post("createTemplate", "/api/kanban/templates", {
      payload: CreateTemplate,
      success: TaskTemplate.pipe(HttpApiSchema.status(201)),
      error: [TooManyTemplatesError, ...store]
    }).annotate(OpenApi.Summary, "Add a template, whose task may lack a title"),
    HttpApiEndpoint.patch("changeTemplate", "/api/kanban/templates/:id", {
      params,
      payload: PatchTemplate,
      success: TaskTemplate,
      error: [TemplateNotFoundError, TemplateConflictError, ...store]
    }).annotate(OpenApi.Summary, "Change a template, based on the `version` you read"),
    HttpApiEndpoint.delete("removeTemplate", "/api/kanban/templates/:id", {
      params,
      success: Done,
      error: [TemplateNotFoundError, ...store]
    }).annotate(OpenApi.Summary, "Delete a template")
  )
  .annotate(Right, rights("read", "manage"))
  .annotate(OpenApi.Title, "Recurring cards and templates")
  .annotate(OpenApi.Description, "Cards that come again at the times of a schedule, and beginnings of new cards.") {}
