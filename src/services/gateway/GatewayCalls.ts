import { Context, Effect, Layer } from "effect"
import { GatewayCli } from "./GatewayCli.ts"
import { GatewayClient, type GatewayClientShape } from "./GatewayClient.ts"
import { GatewayError } from "./GatewayError.ts"

export interface GatewayCallsShape {
  /**
   * As the client's `request`; where the link may not (no scope, the device not approved) the command-line tool makes
   * the call with rights of its own.
   */
  readonly request: GatewayClientShape["request"]
  /** The call, or what the command-line tool knows when the call fails; with both failing, both are told. */
  readonly orElse: <A>(
    call: Effect.Effect<A, GatewayError>,
    substitute: Effect.Effect<A, GatewayError>
  ) => Effect.Effect<A, GatewayError>
  readonly events: GatewayClientShape["events"]
}

/** Whether the link is up but may not make the call. */
export const lacksRights = ({ reason }: GatewayError) => reason === "missing_scope" || reason === "not_approved"

/** A refusal with a code is the gateway's answer to the call; without one the tool itself could not help. */
const both = (first: GatewayError, second: GatewayError) =>
  second.code === undefined ? new GatewayError({ ...first, message: `${first.message} ${second.message}` }) : second

/** Calls of the gateway over the socket, with the command-line tool where the socket cannot (D34). */
export class GatewayCalls extends Context.Service<GatewayCalls, GatewayCallsShape>()(
  "agent-console/services/gateway/GatewayCalls"
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
