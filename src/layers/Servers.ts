import { createServer, type Server } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { App } from "../http/App.ts"
import { answerMalformed } from "../http/malformedRequest.ts"
import { protectionHeaders } from "../http/middleware/securityHeaders.ts"
import { ROUTER_CONFIG } from "../http/routerConfig.ts"
import { assetListener } from "../http/static/assetListener.ts"
import { ConsoleResponse } from "../http/ConsoleResponse.ts"
import { Settings } from "../services/settings/Settings.ts"
import { Answering } from "../services/startup/Answering.ts"
import { RequestTrust } from "../services/trust/RequestTrust.ts"
import { answerFirst } from "./answerFirst.ts"
import { loadCertificate } from "./certificates.ts"
import { dropConnections } from "./dropConnections.ts"
import { listenError } from "./ListenError.ts"

/** The ports this process answers on. */
export class Listening extends Context.Service<
  Listening,
  {
    readonly http: number
    /** `undefined` without a certificate. */
    readonly https: number | undefined
  }
>()("agent-console/layers/Listening") {}

interface Listener {
  readonly scheme: "http" | "https"
  readonly variable: string
  readonly port: number
  readonly create: () => Server
}

/** Head start of the requests that wait for the listeners, before the work nobody asked for begins. */
const FIRST_REQUESTS = "25 millis"

/** A request without Host is judged, and answered with every header, by the middleware instead of the parser. */
const OPTIONS = { requireHostHeader: false, ServerResponse: ConsoleResponse } as const

const app = HttpRouter.serve(App, {
  disableLogger: true,
  disableListenLog: true,
  routerConfig: ROUTER_CONFIG
})

/** Opens one listener in the surrounding scope and answers the port it got. */
const listen = Effect.fnUntraced(function* (listener: Listener) {
  const settings = yield* Settings
  const trust = yield* RequestTrust
  const server = listener.create()
  answerMalformed(server, protectionHeaders(settings))
  const context = yield* Layer.build(
    NodeHttpServer.layer(() => server, {
      port: listener.port,
      host: settings.host,
      gracefulShutdownTimeout: 0
    })
  ).pipe(Effect.mapError((error) => listenError(error, { ...listener, host: settings.host })))
  yield* dropConnections(server)
  yield* Layer.build(Layer.provide(app, Layer.succeedContext(context)))
  yield* answerFirst(server, yield* assetListener)
  const { address } = Context.get(context, HttpServer.HttpServer)
  const port = "port" in address ? address.port : listener.port
  yield* trust.listening(listener.scheme, port)
  return port
})

/**
 * The listeners of this process: HTTP always, HTTPS where there is a certificate, both in front of the same services.
 * Open connections end at once when it stops (DESIGN "Who owns what").
 */
export const Servers = Layer.effect(
  Listening,
  Effect.gen(function* () {
    const settings = yield* Settings
    const certificate = yield* loadCertificate
    const answering = yield* Answering
    const begin = Effect.forkScoped(Effect.delay(answering.open, FIRST_REQUESTS))
    const http = yield* listen({
      scheme: "http",
      variable: "PORT",
      port: settings.port,
      create: () => createServer(OPTIONS)
    })
    if (Option.isNone(certificate)) {
      yield* begin
      return { http, https: undefined }
    }
    const { createServer: createSecureServer } = yield* Effect.promise(() => import("node:https"))
    const https = yield* listen({
      scheme: "https",
      variable: "SSL_PORT",
      port: settings.sslPort,
      create: () => createSecureServer({ ...certificate.value, ...OPTIONS })
    })
    yield* begin
    return { http, https }
  })
)
