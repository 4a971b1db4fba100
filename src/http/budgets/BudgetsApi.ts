import { Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { failure } from "../../contract/failures.ts"
import {
  Budget,
  BudgetDecision,
  BudgetList,
  BudgetPatch,
  NewBudget,
  Stopped,
  StopRequest
} from "../../contract/schema/budget.ts"
import { Done } from "../../contract/schema/fields.ts"
import {
  BudgetConflict,
  BudgetExists,
  BudgetNotFound,
  BudgetNotPaused,
  InvalidBudget,
  TooManyBudgets
} from "../../services/budgets/budgetErrors.ts"
import { StoreFailure, StoreUnavailable, UnknownTaskError } from "../board/boardErrors.ts"
import { errorBody, onlyWritten } from "../errorBody.ts"
import { digits } from "../queryFields.ts"
import { Right, rights } from "../Right.ts"
import { Mark, mark } from "../RouteMark.ts"
import { UnknownGatewayError } from "../serviceErrors.ts"

const params = { id: Schema.String }
const command = mark({ access: "command" })

const NotFound = errorBody(BudgetNotFound, {
  code: "not_found",
  status: 404,
  details: () => failure("BUDGET_NOT_FOUND")
})
const NotPaused = errorBody(BudgetNotPaused, {
  code: "not_paused",
  status: 409,
  details: () => failure("BUDGET_NOT_PAUSED")
})
const TooMany = errorBody(TooManyBudgets, {
  code: "too_many",
  status: 409,
  details: ({ max }) => failure("TOO_MANY_BUDGETS", { max })
})
const Invalid = errorBody(InvalidBudget, { code: "validation_error", status: 400, details: (refused) => refused })

/** 409 `{error: "budget_exists", budget}`. */
const Exists = BudgetExists.pipe(
  Schema.encodeTo(
    Schema.Struct({ error: Schema.Literal("budget_exists"), budget: Budget }).annotate({ identifier: "BudgetExists" }),
    {
      decode: onlyWritten,
      encode: SchemaGetter.transform(({ budget }) => ({ error: "budget_exists" as const, budget }))
    }
  ),
  HttpApiSchema.status(409)
)

/** 409 `{error: "version_conflict", serverVersion, latest}`. */
const Conflict = BudgetConflict.pipe(
  Schema.encodeTo(
    Schema.Struct({
      error: Schema.Literal("version_conflict"),
      serverVersion: Schema.Int,
      latest: Budget
    }).annotate({ identifier: "BudgetConflict" }),
    {
      decode: onlyWritten,
      encode: SchemaGetter.transform(({ latest }) => ({
        error: "version_conflict" as const,
        serverVersion: latest.version,
        latest
      }))
    }
  ),
  HttpApiSchema.status(409)
)

const store = [StoreUnavailable, StoreFailure] as const

/** What agents may spend, and the stop of everything. */
export class BudgetsApi extends HttpApiGroup.make("budgets")
  .add(
    HttpApiEndpoint.get("list", "/api/budgets", {
      query: { limit: Schema.optionalKey(digits(1, 200)), offset: Schema.optionalKey(digits(0)) },
      success: BudgetList
    })
      .annotate(
        OpenApi.Summary,
        "List the budgets with what was spent of them, newest first, and whether everything is stopped"
      )
      .annotate(Mark, command),
    HttpApiEndpoint.post("create", "/api/budgets", {
      payload: NewBudget,
      success: Budget.pipe(HttpApiSchema.status(201)),
      error: [Invalid, UnknownTaskError, UnknownGatewayError, Exists, TooMany, ...store]
    })
      .annotate(OpenApi.Summary, "Add a budget; what its period has spent already counts")
      .annotate(Mark, command),
    HttpApiEndpoint.patch("change", "/api/budgets/:id", {
      params,
      payload: BudgetPatch,
      success: Budget,
      error: [NotFound, Conflict, ...store]
    }).annotate(
      OpenApi.Summary,
      "Change a budget, based on the `version` you read; a limit above what was spent ends its pause"
    ),
    HttpApiEndpoint.post("resolve", "/api/budgets/:id/resolve", {
      params,
      payload: BudgetDecision,
      success: Budget,
      error: [NotFound, NotPaused, Invalid, ...store]
    }).annotate(OpenApi.Summary, "Decide how a paused budget goes on: again, raise, finish, keep or dismiss"),
    HttpApiEndpoint.delete("remove", "/api/budgets/:id", {
      params,
      success: Done,
      error: [NotFound, ...store]
    })
      .annotate(OpenApi.Summary, "Remove a budget; what only it held goes on")
      .annotate(Mark, command),
    HttpApiEndpoint.post("stop", "/api/stop", {
      payload: [StopRequest, HttpApiSchema.NoContent],
      success: Stopped,
      error: store
    })
      .annotate(OpenApi.Summary, "Stop every running turn on every gateway, and hold all work until DELETE /api/stop")
      .annotate(Mark, command),
    HttpApiEndpoint.delete("goOn", "/api/stop", {
      success: Schema.Struct({ active: Schema.Literal(false) }),
      error: store
    })
      .annotate(OpenApi.Summary, "Let work go on: held messages are sent in their order, stopped runs stay stopped")
      .annotate(Mark, command)
  )
  .annotate(Right, rights("read", "manage"))
  .annotate(OpenApi.Title, "Budgets") {}
