import { Effect } from "effect"
import { Auth } from "../../services/auth/Auth.ts"
import { errorResponse } from "../apiResponse.ts"
import type { Middleware } from "./Middleware.ts"

/** Whether an API path answers without a session while auth is on (SPEC "Authentication" 2). */
export const isOpenPath = (path: string): boolean => path === "/api/version" || path.startsWith("/api/auth/")

/** 401 in the words of SPEC "Authentication" 2. */
export const authenticationRequired = () => errorResponse(401, "Authentication required")

/** Lets API requests pass only with a live session while auth is on; login, version and health stay open. */
export const authentication = Effect.gen(function* () {
  const auth = yield* Auth
  const middleware: Middleware = (next) => {
    if (!auth.enabled) return next
    return (exchange) => {
      if (!exchange.isApi || isOpenPath(exchange.path)) return next(exchange)
      return Effect.flatMap(auth.isAuthenticated(exchange.request.headers.cookie), (isAuthenticated) =>
        isAuthenticated ? next(exchange) : Effect.succeed(authenticationRequired())
      )
    }
  }
  return middleware
})
