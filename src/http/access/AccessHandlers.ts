import { Clock, type Duration, Effect, Option } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { AgentTokens } from "../../services/access/agents/AgentTokens.ts"
import { GatewayAgents } from "../../services/access/agents/GatewayAgents.ts"
import { Auth } from "../../services/access/auth/Auth.ts"
import { ratePresets } from "../../services/access/ratelimit/attemptStore.ts"
import { RateLimiter } from "../../services/access/ratelimit/RateLimiter.ts"
import { RequestTrust } from "../../services/access/trust/RequestTrust.ts"
import { Board } from "../../services/board/Board.ts"
import { Settings } from "../../services/platform/settings/Settings.ts"
import { routeHandlers } from "../Api.ts"
import { isEncrypted } from "../middleware/RequestContext.ts"
import { tooManyRequests } from "../middleware/rateLimit.ts"

const done = { ok: true } as const

const UNSAVED =
  "signed out, but only until the console restarts: it couldn't save that, so check that its disk isn't full or read-only; it keeps trying"

/**
 * Sets or clears the session cookie for the whole console, inaccessible to scripts and other sites; `Secure` only with
 * HTTPS.
 */
const withSessionCookie = (
  response: HttpServerResponse.HttpServerResponse,
  cookie: {
    readonly name: string
    readonly value: string
    readonly path: string
    readonly maxAge: Duration.Input
    readonly secure: boolean
  }
) =>
  Effect.orDie(
    HttpServerResponse.setCookie(response, cookie.name, cookie.value, {
      httpOnly: true,
      sameSite: "strict",
      secure: cookie.secure,
      path: cookie.path,
      maxAge: cookie.maxAge
    })
  )

export const AuthHandlers = routeHandlers(
  "auth",
  Effect.fn(function* (handlers) {
    const auth = yield* Auth
    const limiter = yield* RateLimiter
    const trust = yield* RequestTrust
    const { basePath } = yield* Settings

    const originsOf = (request: HttpServerRequest.HttpServerRequest) => ({
      peer: Option.getOrUndefined(request.peerAddress),
      isEncrypted: isEncrypted(request),
      headers: request.headers
    })

    const setCookie = (
      request: HttpServerRequest.HttpServerRequest,
      value: string,
      lifetimeMs: number,
      details?: string
    ) =>
      withSessionCookie(HttpServerResponse.jsonUnsafe(details === undefined ? done : { ...done, details }), {
        name: auth.cookieName,
        value,
        path: basePath === "" ? "/" : basePath,
        maxAge: lifetimeMs,
        secure: trust.usesHttps(originsOf(request))
      })

    // Counted before the password is checked, so that simultaneous guesses count too.
    const login = Effect.fnUntraced(function* (password: string, request: HttpServerRequest.HttpServerRequest) {
      const preset = ratePresets.failedLogin
      const client = trust.countedAddress(originsOf(request))
      const key = `failed login ${client}`
      const verdict = yield* limiter.take(key, preset)
      if (!verdict.allowed) return tooManyRequests(preset, verdict, yield* Clock.currentTimeMillis)
      const outcome = yield* Effect.catchTag(auth.login(password, client), "SignInBusy", Effect.succeed)
      // The password was right, or it wasn't even looked at.
      yield* limiter.refund(key)
      if (!("retryAfterMs" in outcome)) return yield* setCookie(request, outcome.value, outcome.lifetimeMs)
      const now = yield* Clock.currentTimeMillis
      return tooManyRequests(preset, { allowed: false, remaining: 0, resetAt: now + outcome.retryAfterMs }, now)
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
        Effect.flatMap(auth.logout(request.headers.cookie), (isSaved) =>
          setCookie(request, "", 0, isSaved ? undefined : UNSAVED)
        )
    })
  })
)

export const AgentTokensHandlers = routeHandlers(
  "agentTokens",
  Effect.fn(function* (handlers) {
    const tokens = yield* AgentTokens
    const board = yield* Board
    return handlers.handleAll({
      list: () => Effect.map(tokens.list, (list) => ({ tokens: list })),
      create: ({ payload }) =>
        Effect.andThen(payload.taskId === undefined ? Effect.void : board.get(payload.taskId), tokens.create(payload)),
      remove: ({ params }) => Effect.as(tokens.remove(params.id), { ok: true as const })
    })
  })
)

export const GatewayAgentsHandlers = routeHandlers(
  "gatewayAgents",
  Effect.fn(function* (handlers) {
    const agents = yield* GatewayAgents
    return handlers.handleAll({
      look: () => agents.look,
      add: ({ payload }) => agents.add(payload),
      remove: () => agents.remove
    })
  })
)
