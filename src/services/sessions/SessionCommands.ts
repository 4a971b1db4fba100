import { Context, Effect, Layer, Schema } from "effect"
import { keyParts } from "../../contract/qualifiedKey.ts"
import { GatewayClient } from "../gateway/client/GatewayClient.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import { Gateways } from "../gateway/registry/Gateways.ts"
import type { UnknownGateway } from "../gateway/registry/gatewayEntry.ts"
import { canonicalKey } from "../gateway/sessions/sessionRules.ts"
import { MAIN_SESSION } from "../gateway/sessions/sessionSchemas.ts"

/** An agent's main session can't be deleted. */
export class MainSession extends Schema.TaggedError<MainSession>()("MainSession", {}) {}

/** Nothing runs in the session. */
export class NothingToStop extends Schema.TaggedError<NothingToStop>()("NothingToStop", {}) {}

export interface SessionCommandsShape {
  /** Deletes a session with its conversation; one that isn't there is gone as well. */
  readonly remove: (sessionKey: string) => Effect.Effect<void, MainSession | UnknownGateway | GatewayError>
  /** Shortens what the agent is shown of a conversation; false if there was nothing to shorten. */
  readonly compact: (sessionKey: string) => Effect.Effect<boolean, UnknownGateway | GatewayError>
  /** Stops what runs in a session, or the one run; the runs that were stopped. */
  readonly stop: (
    sessionKey: string,
    runId: string | undefined
  ) => Effect.Effect<ReadonlyArray<string>, NothingToStop | UnknownGateway | GatewayError>
}

const Aborted = Schema.Struct({
  aborted: Schema.optionalKey(Schema.Boolean),
  runIds: Schema.optionalKey(Schema.Array(Schema.String))
})
const Compacted = Schema.Struct({ compacted: Schema.optionalKey(Schema.Boolean) })
const MAIN = /^agent:[^:]+:main$/

/** What a person does with a whole session, at the gateway that its key names. */
export class SessionCommands extends Context.Service<SessionCommands, SessionCommandsShape>()(
  "agent-console/services/sessions/SessionCommands"
) {
  static readonly layer = Layer.effect(
    SessionCommands,
    Effect.gen(function* () {
      const gateways = yield* Gateways
      const at = Effect.fnUntraced(function* (sessionKey: string) {
        const { gatewayId, key } = keyParts(sessionKey)
        const client = Context.get(yield* gateways.services(gatewayId), GatewayClient)
        return { client, key: canonicalKey(key) }
      })
      return SessionCommands.of({
        remove: Effect.fn("SessionCommands.remove")(function* (sessionKey) {
          const { client, key } = yield* at(sessionKey)
          const mainKey = (yield* client.latestConnection)?.mainKey ?? MAIN_SESSION
          if (key === mainKey || MAIN.test(key)) return yield* new MainSession()
          yield* client.request("sessions.delete", { key }, Schema.Unknown)
        }),
        compact: Effect.fn("SessionCommands.compact")(function* (sessionKey) {
          const { client, key } = yield* at(sessionKey)
          return (yield* client.request("sessions.compact", { key }, Compacted)).compacted === true
        }),
        stop: Effect.fn("SessionCommands.stop")(function* (sessionKey, runId) {
          const { client, key } = yield* at(sessionKey)
          const params = { sessionKey: key, ...(runId === undefined ? {} : { runId }) }
          const { aborted, runIds = [] } = yield* client.request("chat.abort", params, Aborted)
          if (aborted !== true) return yield* new NothingToStop()
          return runIds
        })
      })
    })
  )
}
