import { Effect } from "effect"
import { Task } from "../../contract/schema/task.ts"
import { Routines } from "../../services/board/routines/Routines.ts"
import { Templates } from "../../services/board/templates/Templates.ts"
import { routeHandlers } from "../Api.ts"
import { ownAnswer } from "../apiResponse.ts"

/** Each route is one call to the routines or the templates. */
export const RoutinesHandlers = routeHandlers(
  "routines",
  Effect.fn(function* (handlers) {
    const routines = yield* Routines
    const templates = yield* Templates
    return handlers.handleAll({
      list: () => Effect.map(routines.list, (all) => ({ routines: all })),
      create: ({ payload }) => routines.create(payload),
      change: ({ params, payload }) => routines.patch(params.id, payload),
      remove: ({ params }) => Effect.as(routines.remove(params.id), { ok: true as const }),
      run: ({ params }) => Effect.map(routines.run(params.id), ownAnswer(Task, 201)),
      templates: () => Effect.map(templates.list, (all) => ({ templates: all })),
      createTemplate: ({ payload }) => templates.create(payload),
      changeTemplate: ({ params, payload }) => templates.patch(params.id, payload),
      removeTemplate: ({ params }) => Effect.as(templates.remove(params.id), { ok: true as const })
    })
  })
)
