import { Context, Effect, Layer, Option } from "effect"
import { GatewayCalls, lacksRights } from "../gateway/GatewayCalls.ts"
import { GatewayClient } from "../gateway/GatewayClient.ts"
import type { GatewayError } from "../gateway/GatewayError.ts"
import { GatewayTools } from "../gateway/GatewayTools.ts"
import { wrongShape } from "../gateway/gatewayFailures.ts"
import { canonicalKey, modelOf, sessionInfo, statusInfo } from "./sessionRules.ts"
import {
  HistoryFacts,
  MAIN_SESSION,
  PatchedSession,
  type SessionChange,
  type SessionInfo,
  SessionList,
  SessionStatus
} from "./sessionSchemas.ts"

/** Rows of a search by key; keys that merely contain the one that is meant come along. */
const SEARCH_LIMIT = 100

/** Which model a session uses and how much it thinks (SPEC "Gateway operations"). */
export class SessionSettings extends Context.Service<
  SessionSettings,
  {
    /** What is in force; a session that does not exist yet has the gateway's defaults. */
    readonly info: (sessionKey: string) => Effect.Effect<SessionInfo, GatewayError>
    /** Changes the session on the gateway, which makes one that is new, and answers what is in force then. */
    readonly patch: (change: SessionChange) => Effect.Effect<SessionInfo, GatewayError>
  }
>()("agent-console/services/sessions/SessionSettings") {
  static readonly layer = Layer.effect(
    SessionSettings,
    Effect.gen(function* () {
      const gateway = yield* GatewayClient
      const calls = yield* GatewayCalls
      const tools = yield* GatewayTools

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

      /** The status tool needs the token only; of a session that has not been used yet it knows nothing. */
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

      const patch = Effect.fn("SessionSettings.patch")(function* ({ sessionKey, ...fields }: SessionChange) {
        const { entry, resolved } = yield* calls.request(
          "sessions.patch",
          { key: sessionKey, ...fields },
          PatchedSession
        )
        const model = modelOf(resolved)
        const thinking = resolved.thinkingLevel ?? entry?.thinkingLevel
        if (model !== undefined && thinking) return { model, thinking }
        return yield* info(sessionKey)
      })

      return SessionSettings.of({ info, patch })
    })
  )
}
