import { Context, Effect, Layer, Schema } from "effect"
import { HttpClientResponse } from "effect/http"
import { outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import { UpdateTarget } from "./UpdateTarget.ts"

/** The console isn't healthy; `message` says what it did instead. */
export class NotHealthy extends Schema.TaggedError<NotHealthy>()("NotHealthy", { message: Schema.String }) {}

export interface HealthProbeShape {
  /** The version of the running console, if `/health` answers 2xx. Each request takes 5 seconds at most. */
  readonly runningVersion: Effect.Effect<string, NotHealthy>
}

const LIMIT = "5 seconds"

const Version = Schema.Struct({ version: Schema.String })

/** Checks the running console once. */
export class HealthProbe extends Context.Service<HealthProbe, HealthProbeShape>()(
  "agent-console/services/machine/update/HealthProbe"
) {
  static readonly layer = Layer.effect(
    HealthProbe,
    Effect.gen(function* () {
      const { address } = yield* UpdateTarget
      const client = yield* outgoingHttp

      const answer = Effect.fnUntraced(function* (path: string) {
        const response = yield* client.get(`${address}${path}`)
        if (response.status >= 200 && response.status < 300) return response
        yield* Effect.ignore(response.text)
        return yield* new NotHealthy({ message: `${path} answered with status ${response.status}` })
      })

      const ask = <A, E>(path: string, use: (response: HttpClientResponse.HttpClientResponse) => Effect.Effect<A, E>) =>
        answer(path).pipe(
          Effect.flatMap(use),
          Effect.timeout(LIMIT),
          Effect.mapError((error) =>
            error instanceof NotHealthy
              ? error
              : new NotHealthy({ message: `${address}${path} didn't answer as expected` })
          )
        )

      return HealthProbe.of({
        runningVersion: ask("/health", (response) => response.text).pipe(
          Effect.andThen(ask("/api/version", HttpClientResponse.schemaBodyJson(Version))),
          Effect.map(({ version }) => version)
        )
      })
    })
  )
}
