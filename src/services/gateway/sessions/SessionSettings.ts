import { Context, Effect, Layer, Option } from "effect"
import { ofField } from "../../../contract/failure.ts"
import type { SessionChange, SessionInfo } from "../../../contract/schema/session.ts"
import type { SessionPatch } from "../../../contract/schema/sessionRow.ts"
import { GatewayCalls, lacksRights } from "../client/GatewayCalls.ts"
import { GatewayClient } from "../client/GatewayClient.ts"
import { type GatewayError, refusedAs } from "../client/GatewayError.ts"
import { GatewayTools } from "../client/GatewayTools.ts"
import { wrongShape } from "../client/gatewayFailures.ts"
import { Models } from "../models/Models.ts"
import { canonicalKey, InvalidSessionChange, modelOf, sessionInfo, statusInfo, unknownModel } from "./sessionRules.ts"
import { HistoryFacts, MAIN_SESSION, PatchedSession, SessionList, SessionStatus } from "./sessionSchemas.ts"

/** Rows of a search by key; it also returns keys that only contain it. */
const SEARCH_LIMIT = 100

/** What changes; `null` restores the default. */
export type SettingsChange = SessionChange & { readonly label?: string | null }

/** What a person sets a session to, as its gateway takes it; `key` is the session's at the gateway. */
export const settingsOf = (
  key: string,
  { label, model, thinking }: Pick<SessionPatch, "label" | "model" | "thinking">
): SettingsChange => ({
  sessionKey: canonicalKey(key),
  ...(label === undefined ? {} : { label: label?.trim() ?? null }),
  ...(model === undefined ? {} : { model }),
  ...(thinking === undefined ? {} : { thinkingLevel: thinking })
})

/** Which model a session uses and how much it thinks. */
export class SessionSettings extends Context.Service<
  SessionSettings,
  {
    /** The current values; a session that doesn't exist yet has the gateway's defaults. */
    readonly info: (sessionKey: string) => Effect.Effect<SessionInfo, GatewayError>
    /** Changes the session on the gateway, creating it if needed, and returns the new values. */
    readonly patch: (change: SettingsChange) => Effect.Effect<SessionInfo, GatewayError | InvalidSessionChange>
  }
>()("agent-console/services/gateway/sessions/SessionSettings") {
  static readonly layer = Layer.effect(
    SessionSettings,
    Effect.gen(function* () {
      const gateway = yield* GatewayClient
      const calls = yield* GatewayCalls
      const tools = yield* GatewayTools
      const models = yield* Models

      const overSocket = Effect.fnUntraced(function* (sessionKey: string) {
        const search = { search: canonicalKey(sessionKey), limit: SEARCH_LIMIT }
        const [list, history] = yield* Effect.all(
          [
            gateway.request("sessions.list", search, SessionList),
            Effect.option(gateway.request("chat.history", { sessionKey, limit: 1 }, HistoryFacts))
          ],
          { concurrency: "unbounded" }
        )
        const found = sessionInfo(sessionKey, list, Option.getOrUndefined(history))
        if (found === undefined) return yield* wrongShape("sessions.list")
        return found
      })

      const statusOf = (sessionKey: string) =>
        tools
          .invoke("session_status", { sessionKey }, SessionStatus)
          .pipe(Effect.map(({ statusText }) => statusInfo(statusText)))

      /** The status tool only needs the token, but knows nothing about unused sessions. */
      const overTool = Effect.fnUntraced(function* (sessionKey: string, error: GatewayError) {
        const found = yield* statusOf(canonicalKey(sessionKey)).pipe(
          Effect.catch(() => statusOf(MAIN_SESSION)),
          Effect.mapError(() => error)
        )
        return found === undefined ? yield* error : found
      })

      const info = Effect.fn("SessionSettings.info")((sessionKey: string) =>
        Effect.catchIf(overSocket(sessionKey), lacksRights, (error) => overTool(sessionKey, error))
      )

      /** Gateways accept models they don't have and then use another one, so check what they have first. */
      const checkModel = Effect.fnUntraced(function* (name: string) {
        if (yield* Effect.orElseSucceed(models.has(name), () => true)) return
        const offered = yield* Effect.orElseSucceed(models.list, () => [])
        return yield* new InvalidSessionChange(ofField("model", unknownModel(name, offered)))
      })

      const patch = Effect.fn("SessionSettings.patch")(function* ({ sessionKey, ...fields }: SettingsChange) {
        if (typeof fields.model === "string") yield* checkModel(fields.model)
        const { entry, resolved } = yield* calls
          .request("sessions.patch", { key: sessionKey, ...fields }, PatchedSession)
          .pipe(refusedAs((refused) => new InvalidSessionChange(refused)))
        const model = modelOf(resolved)
        const thinking = resolved.thinkingLevel ?? entry?.thinkingLevel
        if (model !== undefined && thinking) return { model, thinking }
        return yield* info(sessionKey)
      })

      return SessionSettings.of({ info, patch })
    })
  )
}
