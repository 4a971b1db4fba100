import { Clock, Context, Effect, Layer, Schema } from "effect"
import { failureOf } from "../../contract/failure.ts"
import { keyParts, qualifiedKey } from "../../contract/qualifiedKey.ts"
import { failureFields } from "../../contract/schema/failure.ts"
import type { SessionPatch, SessionRow } from "../../contract/schema/sessionRow.ts"
import { GatewayClient } from "../gateway/client/GatewayClient.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import { Gateways } from "../gateway/registry/Gateways.ts"
import type { UnknownGateway } from "../gateway/registry/gatewayEntry.ts"
import { SessionMarks } from "../gateway/sessions/SessionMarks.ts"
import { SessionSettings, settingsOf } from "../gateway/sessions/SessionSettings.ts"
import { canonicalKey, InvalidSessionChange } from "../gateway/sessions/sessionRules.ts"
import { MAIN_SESSION } from "../gateway/sessions/sessionSchemas.ts"
import type { StoreError } from "../platform/sqlite/Sqlite.ts"
import { SessionLists } from "./SessionLists.ts"
import { endOf } from "./sessionRow.ts"

/** An agent's main session can't be deleted. */
export class MainSession extends Schema.TaggedError<MainSession>()("MainSession", {}) {}

/** Nothing runs in the session. */
export class NothingToStop extends Schema.TaggedError<NothingToStop>()("NothingToStop", {}) {}

/** Another session of the gateway has this name. */
export class LabelInUse extends Schema.TaggedError<LabelInUse>()("LabelInUse", failureFields) {}

export interface SessionCommandsShape {
  /** Changes a session's name, model, thinking and marks; the answer is the session as it is then. */
  readonly change: (
    change: SessionPatch
  ) => Effect.Effect<SessionRow, LabelInUse | InvalidSessionChange | UnknownGateway | GatewayError | StoreError>
  /** Begins a session's conversation anew. */
  readonly reset: (sessionKey: string) => Effect.Effect<SessionRow, UnknownGateway | GatewayError>
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
      const marks = yield* SessionMarks
      const lists = yield* SessionLists
      const at = Effect.fnUntraced(function* (sessionKey: string) {
        const { gatewayId, key } = keyParts(sessionKey)
        const client = Context.get(yield* gateways.services(gatewayId), GatewayClient)
        return { client, key: canonicalKey(key) }
      })
      const isTaken = ({ why }: InvalidSessionChange) => why?.code === "LABEL_IN_USE"

      const changeSettings = Effect.fnUntraced(function* (change: SessionPatch) {
        if (change.label === undefined && change.model === undefined && change.thinking === undefined) return
        const { gatewayId, key } = keyParts(change.sessionKey)
        const settings = Context.get(yield* gateways.services(gatewayId), SessionSettings)
        yield* settings
          .patch(settingsOf(key, change))
          .pipe(
            Effect.mapError((error) =>
              error instanceof InvalidSessionChange && isTaken(error) ? new LabelInUse(failureOf(error)) : error
            )
          )
      })

      const changeMarks = Effect.fnUntraced(function* ({ archived, group, pinned, seen, sessionKey }: SessionPatch) {
        const now = yield* Clock.currentTimeMillis
        const row = lists.kept(sessionKey)
        const change = {
          ...(pinned === undefined ? {} : { pinned }),
          // A run that begins later brings an archived session back, by the gateway's clock.
          ...(archived === undefined ? {} : { archivedAt: archived ? Math.max(now, row?.updatedAt ?? 0) : null }),
          ...(group === undefined ? {} : { group }),
          ...(seen === true ? { seenAt: (row && endOf(row)) ?? now } : {})
        }
        const { gatewayId, key } = keyParts(sessionKey)
        if (Object.keys(change).length > 0)
          yield* marks.change({ sessionKey: qualifiedKey(gatewayId, canonicalKey(key)), ...change })
      })

      return SessionCommands.of({
        change: Effect.fn("SessionCommands.change")(function* (change) {
          yield* changeSettings(change)
          yield* changeMarks(change)
          return yield* lists.reread(change.sessionKey)
        }),
        reset: Effect.fn("SessionCommands.reset")(function* (sessionKey) {
          const { client, key } = yield* at(sessionKey)
          yield* client.request("sessions.reset", { key }, Schema.Unknown)
          return yield* lists.reread(sessionKey, { isAnew: true })
        }),
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
