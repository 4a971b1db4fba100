import { Effect } from "effect"
import type { Right } from "../../contract/schema/live.ts"
import { Auth } from "../../services/access/auth/Auth.ts"
import { ClientRights } from "../../services/access/ClientRights.ts"
import { errorResponse } from "../apiResponse.ts"
import type { Check } from "./RequestContext.ts"

/** 403 for a client that may not do this. */
export const noRight = (right: Right) =>
  errorResponse(403, "no_right", { message: `this needs the right ${right}`, why: { code: "NO_RIGHT" } })

/** Refuses a client without the right that the route needs. */
export const rightCheck = Effect.gen(function* () {
  const auth = yield* Auth
  const rightsOf = yield* ClientRights
  const check: Check = ({ headers, now, route: { right }, session }) => {
    if (right === undefined) return undefined
    // Only a route that decides for itself hasn't looked for its session yet.
    const rights = rightsOf(session ?? auth.sessionOf(headers.cookie, now))
    return rights.includes(right) ? undefined : noRight(right)
  }
  return check
})
