import { Effect, Layer, PubSub, Schema } from "effect"
import { GatewayClient, type GatewayEvent } from "../../src/services/gateway/GatewayClient.ts"
import { GatewayError } from "../../src/services/gateway/GatewayError.ts"
import { wrongShape } from "../../src/services/gateway/gatewayFailures.ts"

/** One call as it arrived. */
export interface AnsweredCall {
  readonly method: string
  readonly params: object
}

/** A gateway's client in memory that answers each call as the test says, fails with errors, and sends events. */
export const makeAnsweringGateway = Effect.fnUntraced(function* (
  answer: (call: AnsweredCall) => Effect.Effect<unknown, GatewayError>
) {
  const events = yield* PubSub.unbounded<GatewayEvent>()
  const calls: Array<AnsweredCall> = []
  const layer = Layer.succeed(
    GatewayClient,
    GatewayClient.of({
      request: (method, params, payload) =>
        Effect.suspend(() => {
          calls.push({ method, params })
          return answer({ method, params })
        }).pipe(
          Effect.flatMap((found) =>
            Effect.mapError(Schema.decodeUnknownEffect(payload)(found), () => wrongShape(method))
          )
        ),
      events: PubSub.subscribe(events),
      status: Effect.succeed({ gateway: "ok", since: 0 }),
      gatewayStartedAt: Effect.succeed(0),
      connection: Effect.undefined
    })
  )
  return {
    layer,
    calls,
    count: (method: string) => calls.filter((call) => call.method === method).length,
    emit: (event: string, payload: unknown) => PubSub.publish(events, { event, payload })
  }
})

/** Failures as the client has them. */
export const failures = {
  missingScope: new GatewayError({ reason: "missing_scope", message: "Not with these scopes.", code: "MISSING_SCOPE" }),
  unreachable: new GatewayError({ reason: "unreachable", message: "The connection to the gateway was lost." })
}
