import { createServer, type Server } from "node:http"
import { Context, Effect, Layer, Option } from "effect"
import { ConsoleResponse } from "../http/ConsoleResponse.ts"
import { frontListener } from "../http/front/frontListener.ts"
import { answerMalformed } from "../http/malformedRequest.ts"
import { protectionHeaders } from "../http/middleware/protectionHeaders.ts"
import { StaticFiles } from "../http/static/StaticFiles.ts"
import { Settings } from "../services/settings/Settings.ts"
import { RequestTrust } from "../services/trust/RequestTrust.ts"
import { loadCertificate } from "./certificates.ts"
import { type Door, makeDoor } from "./Door.ts"
import { dropConnections } from "./dropConnections.ts"
import { listenError } from "./ListenError.ts"

/** An open port and the way in. */
export interface Listener {
  readonly port: number
  readonly door: Door
}

/** The open ports of this process. Whoever comes before the app is there waits, but for the web app's files. */
export class Listeners extends Context.Service<
  Listeners,
  {
    readonly http: Listener
    /** `undefined` without a certificate. */
    readonly https: Listener | undefined
  }
>()("agent-console/layers/Listeners") {
  /**
   * HTTP always, HTTPS where there is a certificate, both in front of the same app. Open connections end at once when it
   * stops (DESIGN "Who owns what").
   */
  static readonly layer = Layer.effect(
    Listeners,
    Effect.gen(function* () {
      const settings = yield* Settings
      const certificate = yield* loadCertificate
      const http = yield* listen({
        scheme: "http",
        variable: "PORT",
        port: settings.port,
        create: () => createServer(OPTIONS)
      })
      if (Option.isNone(certificate)) return { http, https: undefined }
      const { createServer: createSecureServer } = yield* Effect.promise(() => import("node:https"))
      const https = yield* listen({
        scheme: "https",
        variable: "SSL_PORT",
        port: settings.sslPort,
        create: () => createSecureServer({ ...certificate.value, ...OPTIONS })
      })
      return { http, https }
    })
  )
}

interface Opening {
  readonly scheme: "http" | "https"
  readonly variable: string
  readonly port: number
  readonly create: () => Server
}

/** A request without Host is judged, and answered with every header, by the middleware instead of the parser. */
const OPTIONS = { requireHostHeader: false, ServerResponse: ConsoleResponse } as const

const closed = (server: Server) =>
  Effect.callback<void>((resume) => {
    if (!server.listening) return resume(Effect.void)
    server.close(() => resume(Effect.void))
  })

const bind = (server: Server, options: { readonly port: number; readonly host: string }) =>
  Effect.callback<void, unknown>((resume) => {
    const onError = (cause: unknown) => resume(Effect.fail(cause))
    server.once("error", onError)
    server.listen(options, () => {
      server.off("error", onError)
      resume(Effect.void)
    })
  })

/** Opens one port for the surrounding scope. */
const listen = Effect.fnUntraced(function* ({ scheme, variable, port: wanted, create }: Opening) {
  const settings = yield* Settings
  const trust = yield* RequestTrust
  const { host } = settings
  const server = create()
  answerMalformed(server, protectionHeaders(settings))
  const door = makeDoor(server, yield* frontListener)
  yield* Effect.addFinalizer(() => closed(server))
  yield* dropConnections(server)
  yield* bind(server, { port: wanted, host }).pipe(
    Effect.mapError((cause) => listenError(cause, { variable, port: wanted, host }))
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : wanted
  yield* trust.listening(scheme, port)
  return { port, door }
})

/** What answers before the app is there; needs only Settings and the platform. */
export const Front = Listeners.layer.pipe(Layer.provideMerge(Layer.mergeAll(RequestTrust.layer, StaticFiles.layer)))
