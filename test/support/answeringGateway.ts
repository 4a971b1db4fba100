import { Effect, Layer, PubSub, Schema } from "effect"
import { GatewayClient, type GatewayConnection } from "../../src/services/gateway/client/GatewayClient.ts"
import { GatewayError } from "../../src/services/gateway/client/GatewayError.ts"
import { wrongShape } from "../../src/services/gateway/client/gatewayFailures.ts"
import type { GatewayEvent } from "../../src/services/gateway/client/gatewayFrames.ts"
import { makeGatewayTaps } from "../../src/services/gateway/client/gatewayTap.ts"
import { noLinkChanges } from "./makeApp.ts"

/** One received call. */
export interface AnsweredCall {
  readonly method: string
  readonly params: object
}

/** An in-memory gateway client that answers each call as the test says, fails with errors, and sends events. */
export const makeAnsweringGateway = Effect.fnUntraced(function* (
  answer: (call: AnsweredCall) => Effect.Effect<unknown, GatewayError>,
  connection?: GatewayConnection,
  startedAt = 0
) {
  const events = yield* PubSub.unbounded<GatewayEvent>()
  const calls: Array<AnsweredCall> = []
  const taps = makeGatewayTaps()
  const arrive = taps.newConnection()
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
      problem: Effect.succeed(undefined),
      gatewayStartedAt: Effect.succeed(startedAt),
      connection: Effect.succeed(connection),
      latestConnection: Effect.succeed(connection),
      retryAt: Effect.undefined,
      tap: taps.tap,
      linkChanges: noLinkChanges
    })
  )
  return {
    layer,
    calls,
    count: (method: string) => calls.filter((call) => call.method === method).length,
    /** The connection breaks, and `missed` happens before there's another one. */
    reconnect: (missed: () => void) =>
      Effect.sync(() => {
        taps.down()
        missed()
        taps.linked()
      }),
    emit: (event: string, payload: unknown, seq?: number) =>
      Effect.andThen(
        Effect.sync(() => arrive({ event, payload, seq })),
        PubSub.publish(events, { event, payload })
      )
  }
})

/** Failures as the client reports them. */
export const failures = {
  missingScope: new GatewayError({ reason: "missing_scope", message: "Not with these scopes.", code: "MISSING_SCOPE" }),
  invalid: new GatewayError({ reason: "invalid", message: "The gateway rejected the values." }),
  unreachable: new GatewayError({ reason: "unreachable", message: "The connection to the gateway was lost." })
}
