import { Effect } from "effect"
import { GitInfo } from "../../../services/knowledge/git/GitInfo.ts"
import { routeHandlers } from "../../routeHandlers.ts"

const ok = true as const

export const GitHandlers = routeHandlers(
  "git",
  Effect.fn(function* (handlers) {
    const git = yield* GitInfo
    return handlers.handleAll({
      state: ({ query }) => git.state(query.sessionKey),
      register: ({ payload: { sessionKey, workdir } }) => Effect.as(git.register(sessionKey, workdir), { ok }),
      unregister: ({ payload: { sessionKey } }) => Effect.as(git.unregister(sessionKey), { ok })
    })
  })
)
