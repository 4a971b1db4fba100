import { NodeServices } from "@effect/platform-node"
import { Context, Effect, FileSystem, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { EventHub } from "../../src/http/platform/events/EventHub.ts"
import { RouteTable } from "../../src/http/RouteTable.ts"
import { EarlyListeners } from "../../src/layers/Listeners.ts"
import { Foundations, Services } from "../../src/layers/Main.ts"
import { Listening, Servers } from "../../src/layers/Servers.ts"
import type { GatewayClient } from "../../src/services/gateway/client/GatewayClient.ts"
import { EventBus } from "../../src/services/platform/events/EventBus.ts"
import { Settings, type SettingsShape } from "../../src/services/platform/settings/Settings.ts"
import { unreachableGateway } from "./makeApp.ts"
import { testSettings } from "./testSettings.ts"

/**
 * The whole console on real loopback sockets, on ports the system chooses, until the scope closes. Its gateway can't be
 * reached unless another client is given.
 */
export const listen = Effect.fnUntraced(function* (
  overrides: Partial<SettingsShape> = {},
  gateway: Layer.Layer<GatewayClient> = unreachableGateway
) {
  const fs = yield* FileSystem.FileSystem
  const home = yield* fs.makeTempDirectoryScoped()
  const settings = testSettings({ port: 0, sslPort: 0, svcHome: home, installDir: home, ...overrides })
  const context = yield* Layer.build(
    Servers.pipe(
      // The app's own table, as layers are built once.
      Layer.provideMerge(RouteTable.layer),
      Layer.provideMerge(Services),
      Layer.provideMerge(EarlyListeners),
      Layer.provideMerge(gateway),
      Layer.provide(FetchHttpClient.layer),
      Layer.provideMerge(Foundations),
      Layer.provideMerge(Settings.layerOf(settings)),
      Layer.provideMerge(NodeServices.layer)
    )
  )
  const ports = Context.get(context, Listening)
  return {
    ports,
    settings,
    routes: Context.get(context, RouteTable).rows,
    base: `http://127.0.0.1:${ports.http}`,
    events: Context.get(context, EventBus),
    streams: Context.get(context, EventHub)
  }
})
