import { createServer, type Server } from "node:http"
import { NodeHttpServer, NodeServices } from "@effect/platform-node"
import { Context, Effect, FileSystem, Layer } from "effect"
import { FetchHttpClient, HttpRouter, HttpServer } from "effect/http"
import { App } from "../../src/http/App.ts"
import { ROUTER_CONFIG } from "../../src/http/GuardedRouter.ts"
import { ProxyRoute } from "../../src/http/gateway/proxy/ProxyRoute.ts"
import { Foundations, Services } from "../../src/layers/Main.ts"
import { Auth } from "../../src/services/access/auth/Auth.ts"
import { RevokedSessions } from "../../src/services/access/auth/RevokedSessions.ts"
import { RequestTrust } from "../../src/services/access/trust/RequestTrust.ts"
import { DeviceIdentity } from "../../src/services/gateway/device/DeviceIdentity.ts"
import { Settings, type SettingsShape } from "../../src/services/platform/settings/Settings.ts"
import { FrontServices, unreachableGateway } from "./makeApp.ts"
import { connectionsOf } from "./sockets.ts"
import { testSettings } from "./testSettings.ts"

const options = { disableLogger: true, disableListenLog: true, routerConfig: ROUTER_CONFIG }
const listener = (server: Server) =>
  NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1", gracefulShutdownTimeout: 0 })

const settingsIn = Effect.fnUntraced(function* (overrides: Partial<SettingsShape>) {
  const svcHome = yield* Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())
  return testSettings({ svcHome, ...overrides })
})

const portOf = (server: HttpServer.HttpServer["Service"]): number =>
  "port" in server.address ? Number(server.address.port) : 0

/** The whole app behind a real listener on a free loopback port; both end with the test's scope. */
export const serveApp = (overrides: Partial<SettingsShape> = {}) => buildApp(overrides)

const buildApp = Effect.fnUntraced(
  function* (overrides: Partial<SettingsShape>) {
    const settings = yield* settingsIn(overrides)
    const context = yield* Layer.build(
      HttpRouter.serve(App, options).pipe(
        Layer.provideMerge(listener(createServer())),
        Layer.provide(Services),
        Layer.provide(FrontServices),
        Layer.provide(unreachableGateway),
        Layer.provide(FetchHttpClient.layer),
        Layer.provide(Foundations),
        Layer.provide(Settings.layerOf(settings))
      )
    )
    return { settings, port: portOf(Context.get(context, HttpServer.HttpServer)) }
  },
  Effect.provide(NodeServices.layer),
  Effect.orDie
)

const ProxyServices = Layer.mergeAll(
  RequestTrust.layer,
  DeviceIdentity.layer,
  Auth.layer.pipe(Layer.provide(RevokedSessions.layer))
)

/** The WebSocket proxy alone behind a real listener, so that nothing else talks to the test's gateway. */
export const serveProxy = (overrides: Partial<SettingsShape> = {}) => buildProxy(overrides)

const buildProxy = Effect.fnUntraced(
  function* (overrides: Partial<SettingsShape>) {
    const settings = yield* settingsIn(overrides)
    const server = createServer()
    const context = yield* Layer.build(
      HttpRouter.serve(ProxyRoute, options).pipe(
        Layer.provideMerge(listener(server)),
        Layer.provideMerge(ProxyServices),
        Layer.provide(Settings.layerOf(settings))
      )
    )
    return {
      settings,
      port: portOf(Context.get(context, HttpServer.HttpServer)),
      connections: connectionsOf(server),
      deviceId: Context.get(context, DeviceIdentity).deviceId,
      identity: Context.get(context, DeviceIdentity),
      auth: Context.get(context, Auth)
    }
  },
  Effect.provide(NodeServices.layer),
  Effect.orDie
)
