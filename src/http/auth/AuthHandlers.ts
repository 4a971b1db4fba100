import { Effect, Option } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Auth } from "../../services/auth/Auth.ts"
import { ratePresets } from "../../services/ratelimit/presets.ts"
import { RateLimiter } from "../../services/ratelimit/RateLimiter.ts"
import { RequestTrust } from "../../services/trust/RequestTrust.ts"
import { Api } from "../Api.ts"
import { tooManyRequests } from "../middleware/rateLimit.ts"
import { withSessionCookie } from "./sessionCookie.ts"

const done = { ok: true } as const

export const AuthHandlers = HttpApiBuilder.group(
  Api,
  "auth",
  Effect.fn(function* (handlers) {
    const auth = yield* Auth
    const limiter = yield* RateLimiter
    const trust = yield* RequestTrust

    const originsOf = ({ headers, peerAddress }: HttpServerRequest.HttpServerRequest) => ({
      peer: Option.getOrUndefined(peerAddress),
      headers
    })

    const setCookie = (request: HttpServerRequest.HttpServerRequest, value: string, lifetimeMs: number) =>
      withSessionCookie(HttpServerResponse.jsonUnsafe(done), {
        name: auth.cookieName,
        value,
        maxAge: lifetimeMs,
        secure: trust.usesHttps(originsOf(request))
      })

    // Failures are counted before the password is looked at, so that guesses at the same time count as well (D15).
    const login = Effect.fnUntraced(function* (password: string, request: HttpServerRequest.HttpServerRequest) {
      const key = `failed login ${trust.clientAddress(originsOf(request))}`
      const verdict = yield* limiter.take(key, ratePresets.failedLogin)
      if (!verdict.allowed) return yield* tooManyRequests(ratePresets.failedLogin, verdict)
      const session = yield* auth.login(password)
      yield* limiter.refund(key)
      return yield* setCookie(request, session.value, session.lifetimeMs)
    })

    return handlers.handleAll({
      status: ({ request }) =>
        Effect.map(auth.isAuthenticated(request.headers.cookie), (authenticated) => ({
          authEnabled: auth.enabled,
          authenticated
        })),
      login: ({ payload, request }) => {
        if (!auth.enabled) return Effect.succeed(done)
        const password = payload?.password ?? ""
        if (password === "") return Effect.fail({ error: "Password required" } as const)
        return login(password, request).pipe(
          Effect.catchTag("InvalidPassword", () => Effect.fail({ error: "Invalid password" } as const))
        )
      },
      logout: ({ request }) =>
        Effect.andThen(
          auth.logout(request.headers.cookie),
          Effect.suspend(() => setCookie(request, "", 0))
        )
    })
  })
)
