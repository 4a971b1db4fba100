import { Context, Effect, Layer, Redacted, Scope } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { ADDED_NAMES } from "../contract/gatewayNames.ts"
import { FoundToken } from "../services/gateway/client/FoundToken.ts"
import { GatewayCalls } from "../services/gateway/client/GatewayCalls.ts"
import { GatewayCli } from "../services/gateway/client/GatewayCli.ts"
import { GatewayClient } from "../services/gateway/client/GatewayClient.ts"
import { GatewayTools } from "../services/gateway/client/GatewayTools.ts"
import { cliMissing, GatewayNaming } from "../services/gateway/client/gatewayFailures.ts"
import { LinkWakeLive } from "../services/gateway/client/LinkWake.ts"
import { Crons } from "../services/gateway/crons/Crons.ts"
import type { DeviceIdentity } from "../services/gateway/device/DeviceIdentity.ts"
import { GatewayFeed, OwnGatewayId } from "../services/gateway/feed/GatewayFeed.ts"
import { GatewayMedia } from "../services/gateway/media/GatewayMedia.ts"
import { Models } from "../services/gateway/models/Models.ts"
import { AddedServices } from "../services/gateway/registry/Gateways.ts"
import { SessionSettings } from "../services/gateway/sessions/SessionSettings.ts"
import { Skills } from "../services/gateway/skills/Skills.ts"
import { EventBus } from "../services/platform/events/EventBus.ts"
import { outgoingHttp } from "../services/platform/outgoing/OutgoingHttp.ts"
import { ServerReady } from "../services/platform/ServerReady.ts"
import { Settings } from "../services/platform/settings/Settings.ts"
import type { Sqlite } from "../services/platform/sqlite/Sqlite.ts"

/** The command-line tool knows the gateway of its own machine only, which is the primary one. */
const WithoutCli = Layer.succeed(
  GatewayCli,
  GatewayCli.of({ available: false, json: () => Effect.fail(cliMissing), call: () => Effect.fail(cliMissing) })
)

/** The services of one gateway, over its own client. */
const Operations = Layer.mergeAll(
  SessionSettings.layer,
  Crons.layer,
  Skills.layer,
  GatewayFeed.layer,
  GatewayMedia.layer
).pipe(
  Layer.provideMerge(Models.layer),
  Layer.provideMerge(GatewayTools.layer),
  Layer.provide(GatewayCalls.layer),
  Layer.provide(WithoutCli),
  Layer.provideMerge(GatewayClient.layer)
)

/** Every added gateway has services of its own: another address, another token, and its own events. */
export const AddedGateways = Layer.effect(
  AddedServices,
  Effect.gen(function* () {
    const settings = yield* Settings
    const bus = yield* EventBus
    const context = yield* Effect.context<DeviceIdentity | HttpClient.HttpClient | Sqlite>()
    // This layer's own scope would keep a gateway's services, its connection too, until the console ends.
    const shared = Context.omit(Scope.Scope)(context)
    // A connection that is kept for the next request would outlast the gateway's removal by seconds.
    const http = HttpClient.mapRequest(yield* outgoingHttp, HttpClientRequest.setHeader("connection", "close"))
    const serverReady = yield* ServerReady
    return AddedServices.of((gateway, onStatus, followed) => {
      const own = {
        ...settings,
        gatewayUrl: gateway.url,
        gatewayToken: gateway.token === "" ? undefined : Redacted.make(gateway.token)
      }
      const Own = Layer.mergeAll(
        Settings.layerOf(own),
        Layer.succeed(EventBus, EventBus.of({ ...bus, publish: () => onStatus })),
        Layer.succeed(HttpClient.HttpClient, http),
        Layer.succeed(GatewayNaming, ADDED_NAMES),
        Layer.succeed(OwnGatewayId, gateway.id),
        Layer.succeed(ServerReady, { ...serverReady, wait: Effect.andThen(serverReady.wait, followed) }),
        // The settings' token is the main gateway's.
        Layer.succeed(FoundToken, FoundToken.defaultValue()),
        LinkWakeLive
      )
      return Layer.build(Layer.fresh(Operations.pipe(Layer.provideMerge(Own)))).pipe(Effect.provideContext(shared))
    })
  })
)
