import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { GitInfo } from "../../services/git/GitInfo.ts"
import { Api } from "../Api.ts"

const ok = true as const

export const GitHandlers = HttpApiBuilder.group(
  Api,
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
