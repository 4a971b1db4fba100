import { NodeHttpPlatform, NodeServices } from "@effect/platform-node"
import { Context, Deferred, Effect, FileSystem, Layer, Option, PubSub, References } from "effect"
import { Etag, HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { App } from "../../src/http/App.ts"
import { EventHub } from "../../src/http/events/EventHub.ts"
import { ROUTER_CONFIG } from "../../src/http/routerConfig.ts"
import { StaticFiles } from "../../src/http/static/StaticFiles.ts"
import { Foundations, Services } from "../../src/layers/Main.ts"
import { EventBus } from "../../src/services/events/EventBus.ts"
import { GatewayClient, type GatewayEvent } from "../../src/services/gateway/GatewayClient.ts"
import { GatewayError } from "../../src/services/gateway/GatewayError.ts"
import { Settings, type SettingsShape } from "../../src/services/settings/Settings.ts"
import { Sqlite } from "../../src/services/sqlite/Sqlite.ts"
import { RequestTrust } from "../../src/services/trust/RequestTrust.ts"
import { testSettings } from "./testSettings.ts"

/** What the front gives the app, without its ports. */
export const FrontServices = Layer.mergeAll(RequestTrust.layer, StaticFiles.layer)

const Platform = Layer.mergeAll(NodeHttpPlatform.layer, Etag.layerWeak).pipe(Layer.provideMerge(NodeServices.layer))

const absent = undefined

/** A gateway nobody can reach: what the app meets unless a test brings its own. */
export const unreachableGateway = Layer.succeed(
  GatewayClient,
  GatewayClient.of({
    request: () => Effect.fail(new GatewayError({ reason: "unreachable", message: "the gateway cannot be reached" })),
    events: Effect.flatMap(PubSub.unbounded<GatewayEvent>(), PubSub.subscribe),
    status: Effect.succeed({ gateway: "unreachable", since: 0 } as const),
    gatewayStartedAt: Effect.succeed(absent),
    connection: Effect.succeed(absent)
  })
)

export interface TestAppOptions {
  readonly settings?: Partial<SettingsShape>
  /** Stands in for the gateway's client. */
  readonly gateway?: Layer.Layer<GatewayClient>
}

/** A request as it leaves the client; `peer` is the address of the socket, loopback without it. */
export interface TestRequest extends RequestInit {
  readonly peer?: string
}

const temporaryHome = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped()).pipe(
  Effect.provide(NodeServices.layer),
  Effect.orDie
)

/** Builds the whole app in memory, on the test's own clock, out of the production graph's services. */
export const makeApp = Effect.fnUntraced(function* (options: TestAppOptions = {}) {
  const settings = testSettings({ svcHome: yield* temporaryHome, ...options.settings })
  const context = yield* Layer.build(
    Services.pipe(
      Layer.provideMerge(FrontServices),
      Layer.provideMerge(options.gateway ?? unreachableGateway),
      Layer.provideMerge(Foundations),
      Layer.provideMerge(Settings.layerOf(settings)),
      Layer.provideMerge(Platform)
    )
  )
  const handler = yield* HttpRouter.toHttpEffect(App).pipe(
    Effect.provideService(HttpRouter.RouterConfig, ROUTER_CONFIG),
    Effect.provideContext(context)
  )

  /** Sends one request through every middleware; the body of a stream ends with its reader. */
  const request = Effect.fnUntraced(function* (path: string, init: TestRequest = {}) {
    const { peer = "127.0.0.1", ...rest } = init
    const url = new URL(path, `http://127.0.0.1:${settings.port}`)
    const headers = new Headers(rest.headers)
    if (typeof rest.body === "string" && !headers.has("content-length")) {
      headers.set("content-length", String(Buffer.byteLength(rest.body)))
    }
    if (!headers.has("host")) headers.set("host", url.host)
    const incoming = HttpServerRequest.fromWeb(new Request(url, { ...rest, headers })).modify({
      remoteAddress: Option.some(peer)
    })
    const answered = yield* Deferred.make<Response>()
    const handled = HttpEffect.toHandled(handler, (_, response) =>
      Deferred.succeed(
        answered,
        HttpServerResponse.toWeb(HttpEffect.scopeTransferToStream(response), {
          withoutBody: incoming.method === "HEAD"
        })
      )
    )
    yield* handled.pipe(
      Effect.provideContext(context),
      Effect.provideService(HttpServerRequest.HttpServerRequest, incoming),
      Effect.provideService(References.MinimumLogLevel, "Fatal")
    )
    return yield* Deferred.await(answered)
  })

  /** The JSON body of an answer. */
  const json = (response: Response): Effect.Effect<unknown> => Effect.promise(() => response.json())

  return {
    settings,
    request,
    json,
    events: Context.get(context, EventBus),
    streams: Context.get(context, EventHub),
    sqlite: Context.get(context, Sqlite)
  }
})
