import { NodeHttpPlatform, NodeServices } from "@effect/platform-node"
import { Context, Deferred, Effect, FileSystem, Layer, Option, PubSub, References } from "effect"
import {
  Etag,
  FetchHttpClient,
  type HttpClient,
  HttpEffect,
  HttpRouter,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { appWith } from "../../src/http/App.ts"
import { ROUTER_CONFIG } from "../../src/http/GuardedRouter.ts"
import { EventHub } from "../../src/http/platform/events/EventHub.ts"
import { StaticFiles } from "../../src/http/platform/static/StaticFiles.ts"
import { RouteTable } from "../../src/http/RouteTable.ts"
import { Foundations, Services } from "../../src/layers/Main.ts"
import { RequestTrust } from "../../src/services/access/trust/RequestTrust.ts"
import { GatewayClient } from "../../src/services/gateway/client/GatewayClient.ts"
import { GatewayError } from "../../src/services/gateway/client/GatewayError.ts"
import type { GatewayEvent } from "../../src/services/gateway/client/gatewayFrames.ts"
import { EventBus } from "../../src/services/platform/events/EventBus.ts"
import { ServerReady, ServerReadyLive } from "../../src/services/platform/ServerReady.ts"
import { Settings, type SettingsShape } from "../../src/services/platform/settings/Settings.ts"
import { Sqlite } from "../../src/services/platform/sqlite/Sqlite.ts"
import { diskInStep } from "./diskInStep.ts"
import { testSettings } from "./testSettings.ts"

/** The listeners' services for the app, without ports. */
export const FrontServices = Layer.mergeAll(RequestTrust.layer, StaticFiles.layer)

const Platform = Layer.mergeAll(NodeHttpPlatform.layer, Etag.layerWeak).pipe(Layer.provideMerge(NodeServices.layer))

const absent = undefined

/** The events of a silent gateway. */
export const noEvents = Effect.flatMap(PubSub.unbounded<GatewayEvent>(), PubSub.subscribe)

/** The signals of a link that never changes. */
export const noLinkChanges = Effect.flatMap(PubSub.unbounded<void>(), PubSub.subscribe)

/** A tap that never hears anything. */
export const noTap = () => Effect.void

/** An unreachable gateway: the default unless a test provides its own. */
export const unreachableGateway = Layer.succeed(
  GatewayClient,
  GatewayClient.of({
    request: () => Effect.fail(new GatewayError({ reason: "unreachable", message: "the gateway cannot be reached" })),
    events: noEvents,
    status: Effect.succeed({ gateway: "unreachable", since: 0 } as const),
    problem: Effect.succeed(undefined),
    gatewayStartedAt: Effect.succeed(absent),
    connection: Effect.succeed(absent),
    latestConnection: Effect.undefined,
    retryAt: Effect.undefined,
    tap: noTap,
    linkChanges: noLinkChanges
  })
)

/** A gateway that says nothing by itself, with the given methods. */
export const quietGateway = (methods: Partial<GatewayClient["Service"]>) =>
  Layer.mock(GatewayClient, {
    events: noEvents,
    tap: noTap,
    linkChanges: noLinkChanges,
    connection: Effect.succeed(absent),
    ...methods
  })

export interface TestAppOptions {
  readonly settings?: Partial<SettingsShape>
  /** A replacement for the gateway's client. */
  readonly gateway?: Layer.Layer<GatewayClient>
  /** Replaces all HTTP requests of the app to other servers. */
  readonly http?: Layer.Layer<HttpClient.HttpClient>
}

/** A client's request; `peer` is the socket's address, loopback by default. */
export interface TestRequest extends RequestInit {
  readonly peer?: string
}

const temporaryHome = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped()).pipe(
  Effect.provide(NodeServices.layer),
  Effect.orDie
)

/** Builds the whole app in memory, on the test's clock, from the production graph's services. */
export const makeApp = Effect.fnUntraced(function* (options: TestAppOptions = {}) {
  const settings = testSettings({ svcHome: yield* temporaryHome, ...options.settings })
  const context = yield* Layer.build(
    Services.pipe(
      Layer.provideMerge(FrontServices),
      Layer.provideMerge(options.gateway ?? unreachableGateway),
      Layer.provideMerge(options.http ?? FetchHttpClient.layer),
      Layer.provideMerge(Foundations),
      Layer.provideMerge(ServerReadyLive),
      Layer.provideMerge(Settings.layerOf(settings)),
      Layer.provide(diskInStep),
      Layer.provideMerge(Platform)
    )
  )
  // As in production, a gateway's events arrive only after all subscribers exist.
  yield* Context.get(context, ServerReady).open
  const table = Context.get(yield* Layer.build(RouteTable.layer), RouteTable)
  const handler = yield* HttpRouter.toHttpEffect(appWith(Layer.succeed(RouteTable, table))).pipe(
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
    // A form is sent in chunks here, as its length isn't known.
    if (rest.body instanceof FormData) headers.set("transfer-encoding", "chunked")
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

  /** A response's JSON body. */
  const json = (response: Response): Effect.Effect<unknown> => Effect.promise(() => response.json())

  return {
    settings,
    request,
    json,
    /** Every route with its mark. */
    routes: table.rows,
    events: Context.get(context, EventBus),
    streams: Context.get(context, EventHub),
    sqlite: Context.get(context, Sqlite)
  }
})
