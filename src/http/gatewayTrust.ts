import { Effect, Option } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { failure } from "../contract/failures.ts"
import { Auth } from "../services/access/auth/Auth.ts"
import { checkGatewayTokens, NotTrusted, TooManyWrongTokens } from "../services/access/trust/gatewayTokens.ts"
import { RequestTrust } from "../services/access/trust/RequestTrust.ts"
import { errorBody } from "./errorBody.ts"
import { EVERYTHING, reachOf } from "./live/Reach.ts"

/** By which a client says a gateway's token where sign-in is off and it isn't on the console's machine. */
const TOKEN_HEADER = "x-gateway-token"

/** 403 for a client that needs the gateway's token. */
const NotTrustedError = errorBody(NotTrusted, {
  code: "not_trusted",
  status: 403,
  details: () => failure("NOT_TRUSTED")
})

/** 429 after too many wrong tokens, whatever the next one is. */
const TooManyWrongTokensError = errorBody(TooManyWrongTokens, {
  code: "rate_limited",
  status: 429,
  details: () => ({ message: "too many wrong tokens: try again in a minute" })
})

/** Why a route that is about a gateway's sessions may refuse a client. */
export const TRUST_ERRORS = [NotTrustedError, TooManyWrongTokensError] as const

const withRetryAfter = ({ retryAfterMs }: TooManyWrongTokens) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(Math.ceil(retryAfterMs / 1000))))
  )

/**
 * Lets a request for a gateway pass if it's from a signed-in client or this machine, or says that gateway's
 * token; the result is what the client may see.
 */
export const gatewayTrust = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const auth = yield* Auth
  const check = yield* checkGatewayTokens

  return Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, gatewayId: string) {
    const { headers } = request
    const origins = { peer: Option.getOrUndefined(request.peerAddress), headers }
    if (trust.isLocal(origins) || (yield* auth.hasSession(headers.cookie))) return EVERYTHING
    const token = headers[TOKEN_HEADER]
    const given = token === undefined ? {} : { [gatewayId]: token }
    const right = yield* check(trust.countedAddress(origins), given).pipe(
      Effect.tapError((error) => withRetryAfter(error))
    )
    if (!right.has(gatewayId)) return yield* new NotTrusted()
    return reachOf(right)
  })
})
