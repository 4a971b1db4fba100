import { Effect } from "effect"
import { SessionMarks } from "../../../services/gateway/sessions/SessionMarks.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const SessionMarksHandlers = routeHandlers(
  "sessionMarks",
  Effect.fn(function* (handlers) {
    const marks = yield* SessionMarks
    return handlers.handleAll({
      list: () => marks.all,
      change: ({ payload }) => marks.change(payload)
    })
  })
)
