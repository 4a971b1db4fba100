import { Context, Effect, Layer } from "effect"
import type { Failure } from "../../contract/failure.ts"
import type { SessionBegin } from "../../contract/schema/outbox.ts"
import { Gateways } from "../gateway/registry/Gateways.ts"
import { UnknownGateway } from "../gateway/registry/gatewayEntry.ts"
import { SessionSettings, settingsOf } from "../gateway/sessions/SessionSettings.ts"
import type { OutboxSession } from "./outboxMessage.ts"

/** Sets a session's name, model and thinking before a message, all in one step. */
export type BeginSession = (session: OutboxSession, begin: SessionBegin) => Effect.Effect<unknown, Failure>

/** Where sessions get their settings; without a layer, there's no gateway that has any. */
export const SessionBeginnings = Context.Reference<BeginSession>("agent-console/services/outbox/SessionBeginnings", {
  defaultValue:
    () =>
    ({ gatewayId }) =>
      Effect.fail(new UnknownGateway({ id: gatewayId }))
})

export const SessionBeginningsLive = Layer.effect(
  SessionBeginnings,
  Effect.map(
    Gateways,
    (gateways): BeginSession =>
      Effect.fnUntraced(function* ({ gatewayId, sessionKey }, begin) {
        const settings = Context.get(yield* gateways.services(gatewayId), SessionSettings)
        return yield* settings.patch(settingsOf(sessionKey, begin))
      })
  )
)
