import { Context, Effect, Layer } from "effect"
import { GatewayCli } from "./GatewayCli.ts"
import { GatewayClient, type GatewayClientShape } from "./GatewayClient.ts"
import { GatewayError } from "./GatewayError.ts"

export interface GatewayCallsShape {
  /**
   * Like the client's `request`. If the connection isn't allowed to (missing scope, device not approved), the
   * command-line tool makes the call with its own rights.
   */
  readonly request: GatewayClientShape["request"]
  /** The call, or the command-line tool's result if the call fails; if both fail, both failures are reported. */
  readonly orElse: <A>(
    call: Effect.Effect<A, GatewayError>,
    substitute: Effect.Effect<A, GatewayError>
  ) => Effect.Effect<A, GatewayError>
  readonly events: GatewayClientShape["events"]
}

/** Whether the connection is up but not allowed to make the call. */
export const lacksRights = ({ reason }: GatewayError) => reason === "missing_scope" || reason === "not_approved"

/** An error with a code is the gateway's answer; without one, the tool itself failed. */
const both = (first: GatewayError, second: GatewayError) => {
  const { why: _, ...rest } = first
  return second.code === undefined
    ? new GatewayError({ ...rest, message: `${first.message} ${second.message}` })
    : second
}

/** Gateway calls over the socket, with the command-line tool as a fallback. */
export class GatewayCalls extends Context.Service<GatewayCalls, GatewayCallsShape>()(
  "agent-console/services/gateway/client/GatewayCalls"
) {
  static readonly layer = Layer.effect(
    GatewayCalls,
    Effect.gen(function* () {
      const client = yield* GatewayClient
      const cli = yield* GatewayCli

      const orElse: GatewayCallsShape["orElse"] = (call, substitute) =>
        cli.available
          ? Effect.catch(call, (first) => Effect.mapError(substitute, (second) => both(first, second)))
          : call

      const request: GatewayCallsShape["request"] = (method, params, payload, options) => {
        const call = client.request(method, params, payload, options)
        return Effect.catchIf(call, lacksRights, (error) =>
          orElse(Effect.fail(error), cli.call(method, params, payload))
        )
      }

      return GatewayCalls.of({ request, orElse, events: client.events })
    })
  )
}
