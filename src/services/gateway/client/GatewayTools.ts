import { Context, type Duration, Effect, Layer, Redacted, Schema } from "effect"
import { HttpClientRequest, type HttpClientResponse } from "effect/http"
import { failure } from "../../../contract/failures.ts"
import type { GatewayNames } from "../../../contract/gatewayNames.ts"
import { isRedirect, outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { tokenInUse } from "./FoundToken.ts"
import { GatewayError } from "./GatewayError.ts"
import { GatewayNaming, noToken, openFailed, timedOut, toolNotAllowed, wrongShape } from "./gatewayFailures.ts"

export interface GatewayToolsShape {
  /**
   * Calls one of the gateway's agent tools over HTTP and decodes the details of its result. Default limit 10 s.
   * A tool disabled in the gateway's settings fails with `not_allowed`. `sessionKey` selects the agent's session to run
   * it for; by default it's the default agent's main session.
   */
  readonly invoke: <A>(
    tool: string,
    args: object,
    details: Schema.Decoder<A>,
    options?: { readonly timeout?: Duration.Input; readonly sessionKey?: string }
  ) => Effect.Effect<A, GatewayError>
}

const DEFAULT_TIMEOUT = "10 seconds"

const Answer = Schema.Struct({ result: Schema.Struct({ details: Schema.Unknown }) })
const decodeAnswer = Schema.decodeUnknownEffect(Answer)

const failed = new GatewayError({
  reason: "failed",
  ...failure("TOOL_FAILED")
})

const refused = ({ setToken }: GatewayNames) =>
  new GatewayError({ reason: "refused", ...failure("TOKEN_REJECTED", { advice: setToken }) })

/** The gateway's tools over `POST /tools/invoke`, for what its socket doesn't offer. */
export class GatewayTools extends Context.Service<GatewayTools, GatewayToolsShape>()(
  "agent-console/services/gateway/client/GatewayTools"
) {
  static readonly layer = Layer.effect(
    GatewayTools,
    Effect.gen(function* () {
      const settings = yield* Settings
      const client = yield* outgoingHttp
      const names = yield* GatewayNaming
      const inUse = yield* tokenInUse

      const answerOf = Effect.fnUntraced(function* (tool: string, response: HttpClientResponse.HttpClientResponse) {
        if (response.status === 404) return yield* toolNotAllowed(tool)
        if (response.status === 401 || response.status === 403) return yield* refused(names)
        if (isRedirect(response.status))
          return yield* openFailed(settings.gatewayUrl, { status: response.status }, names)
        if (response.status !== 200) return yield* failed
        const body = yield* response.json.pipe(
          Effect.flatMap(decodeAnswer),
          Effect.mapError(() => wrongShape(tool))
        )
        return body.result.details
      })

      const invoke: GatewayToolsShape["invoke"] = Effect.fn("GatewayTools.invoke")(
        function* (tool, args, details, options) {
          const token = inUse()
          if (token === undefined) return yield* noToken
          const session = options?.sessionKey === undefined ? {} : { sessionKey: options.sessionKey }
          const request = HttpClientRequest.post(`${settings.gatewayUrl}/tools/invoke`).pipe(
            HttpClientRequest.bearerToken(Redacted.value(token)),
            HttpClientRequest.bodyJsonUnsafe({ tool, args, ...session })
          )
          const found = yield* client.execute(request).pipe(
            Effect.mapError(() => openFailed(settings.gatewayUrl, {}, names)),
            Effect.flatMap((response) => answerOf(tool, response)),
            Effect.timeoutOrElse({
              duration: options?.timeout ?? DEFAULT_TIMEOUT,
              orElse: () => timedOut(tool)
            })
          )
          return yield* Schema.decodeUnknownEffect(details)(found).pipe(Effect.mapError(() => wrongShape(tool)))
        }
      )

      return GatewayTools.of({ invoke })
    })
  )
}
