import { Effect } from "effect"
import { SECRET_HEADER } from "../../services/access/local/readAccess.ts"
import { Budgets } from "../../services/budgets/Budgets.ts"
import { routeHandlers } from "../Api.ts"

/** Each route is one call to the budgets. */
export const BudgetsHandlers = routeHandlers(
  "budgets",
  Effect.fn(function* (handlers) {
    const budgets = yield* Budgets
    return handlers.handleAll({
      list: ({ query: { limit, offset = 0 } }) =>
        Effect.map(budgets.list, ({ budgets: all, stop }) => ({
          budgets: all.slice(offset, limit === undefined ? undefined : offset + limit),
          stop
        })),
      create: ({ payload }) => budgets.create(payload),
      change: ({ params, payload }) => budgets.change(params.id, payload),
      resolve: ({ params, payload }) => budgets.resolve(params.id, payload),
      remove: ({ params }) => Effect.as(budgets.remove(params.id), { ok: true as const }),
      // A request with a wrong secret doesn't come this far.
      stop: ({ payload, request }) =>
        budgets.stop(payload ?? {}, request.headers[SECRET_HEADER] === undefined ? "operator" : "cli"),
      goOn: () => Effect.as(budgets.goOn, { active: false as const })
    })
  })
)
