import { Effect } from "effect"
import { Auth } from "../../services/access/auth/Auth.ts"
import { SECRET_HEADER } from "../../services/access/local/accessFile.ts"
import { LocalAccess } from "../../services/access/local/LocalAccess.ts"
import { errorResponse } from "../apiResponse.ts"
import type { Check } from "./Middleware.ts"

/** Whether an API path is open without a session while auth is on. */
export const isOpenPath = (path: string): boolean => path === "/api/version" || path.startsWith("/api/auth/")

/** What a command on this machine may ask with the console's secret instead of a session. */
const isCommandRoute = (method: string, path: string): boolean =>
  (method === "GET" && path === "/api/search") || path === "/api/gateways" || path.startsWith("/api/gateways/")

/** 401 with the text that clients compare. */
export const authenticationRequired = () => errorResponse(401, "Authentication required")

/**
 * While auth is on, API requests need a valid session; login, version and health stay open. A command's secret has to be
 * right in any case.
 */
export const authentication = Effect.gen(function* () {
  const auth = yield* Auth
  const local = yield* LocalAccess
  const check: Check = ({ method, path, isApi, headers, now }) => {
    const secret = headers[SECRET_HEADER]
    if (secret !== undefined && isCommandRoute(method, path)) {
      return local.isRight(secret) ? undefined : authenticationRequired()
    }
    if (!auth.enabled || !isApi || isOpenPath(path) || auth.passes(headers.cookie, now)) return undefined
    return authenticationRequired()
  }
  return check
})
