import type { Server } from "node:http"
import type { Socket } from "node:net"
import type { SecureContextOptions } from "node:tls"
import { Context, Effect, Layer, Option, Schedule } from "effect"
import { protectionHeaders } from "../http/middleware/protectionHeaders.ts"
import { earlyListener } from "../http/platform/static/earlyListener.ts"
import { StaticFiles } from "../http/platform/static/StaticFiles.ts"
import { ConsoleResponse } from "../node/ConsoleResponse.ts"
import { type DeferredServer, makeDeferredServer } from "../node/deferredServer.ts"
import { createServer } from "../node/http.ts"
import { answerMalformed } from "../node/malformedRequest.ts"
import { KEEP_ALIVE_MS } from "../node/ReadyAnswer.ts"
import { makeTargetGate } from "../node/targetGate.ts"
import { RequestTrust } from "../services/access/trust/RequestTrust.ts"
import { Settings } from "../services/platform/settings/Settings.ts"
import { type Certificate, loadCertificate } from "./certificates.ts"
import { listenError } from "./ListenError.ts"

/** An open port and its server. */
export interface Listener {
  readonly port: number
  readonly deferred: DeferredServer
}

/** The open ports of this process. Until the app is ready requests wait, except those for the web app's files. */
export class Listeners extends Context.Service<
  Listeners,
  {
    readonly http: Listener
    /** `undefined` without a certificate. */
    readonly https: Listener | undefined
  }
>()("agent-console/layers/Listeners") {
  /**
   * Always HTTP, and HTTPS if there's a certificate, both in front of the same app. Open connections are closed when it
   * stops.
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

/**
 * Requests without Host are handled by the middleware instead of the parser, so they get all the usual headers. A
 * request without a body isn't set up as a stream.
 */
const OPTIONS = {
  requireHostHeader: false,
  optimizeEmptyRequests: true,
  keepAliveTimeout: KEEP_ALIVE_MS,
  ServerResponse: ConsoleResponse
} as const

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

/** Time for the last bytes, such as a WebSocket's close frame, to go out before a connection is cut. */
const FLUSH_WITHIN = "100 millis"

/** Closes all of a server's connections with the surrounding scope, including upgraded and streaming ones. */
const dropConnections = Effect.fnUntraced(function* (server: Server) {
  const sockets = new Set<Socket>()
  function forget(this: Socket) {
    sockets.delete(this)
  }
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("close", forget)
  })
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      for (const socket of sockets) socket.destroySoon()
      if (sockets.size > 0) yield* Effect.sleep(FLUSH_WITHIN)
      for (const socket of sockets) socket.destroy()
    })
  )
})

/** Opens one port for the surrounding scope. */
const listen = Effect.fnUntraced(function* ({ scheme, variable, port: wanted, create }: Opening) {
  const settings = yield* Settings
  const trust = yield* RequestTrust
  const { host } = settings
  const server = create()
  answerMalformed(server, protectionHeaders(settings))
  const gate = makeTargetGate({
    readTarget: trust.readTarget,
    basePath: settings.basePath,
    protections: protectionHeaders(settings)
  })
  const deferred = makeDeferredServer(server, yield* earlyListener, gate)
  yield* Effect.addFinalizer(() => closed(server))
  yield* dropConnections(server)
  yield* bind(server, { port: wanted, host }).pipe(
    Effect.mapError((cause) => listenError(cause, { variable, port: wanted, host }))
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : wanted
  yield* trust.listening(scheme, port)
  return { port, deferred }
})

/** What answers before the app is ready; needs only Settings and the platform. */
export const EarlyListeners = Listeners.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(RequestTrust.layer, StaticFiles.layer))
)

/** Certificates are renewed weeks before they expire, so a minute doesn't matter. */
const LOOK_EVERY = "1 minute"

const hasCertificate = (
  server: Server
): server is Server & { setSecureContext: (options: SecureContextOptions) => void } =>
  "setSecureContext" in server && typeof server.setSecureContext === "function"

const isSame = (one: Certificate, other: Certificate) => one.cert === other.cert && one.key === other.key

/** Looks at the files in `certs/`, and has the server use them if they are others than before and belong together. */
export const makeRenewal = Effect.gen(function* () {
  const { https } = yield* Listeners
  const server = https?.deferred.server
  let used = yield* loadCertificate.pipe(Effect.orElseSucceed(() => Option.none<Certificate>()))
  let refused = ""
  return loadCertificate.pipe(
    Effect.flatMap((found) => {
      refused = ""
      if (Option.isNone(found) || server === undefined || !hasCertificate(server)) return Effect.void
      if (Option.exists(used, (one) => isSame(one, found.value))) return Effect.void
      used = found
      server.setSecureContext(found.value)
      return Effect.logInfo("The certificate in certs/ was renewed, and is used from now on")
    }),
    Effect.catchTag("ListenError", ({ message }) => {
      // The two files are replaced one after the other, so the first look may come in between.
      if (message === refused) return Effect.void
      refused = message
      return Effect.logWarning(`The console goes on with the certificate it has: ${message}`)
    })
  )
})

/** Serves a renewed certificate without a restart, for as long as the scope lasts. */
export const keepCertificate = Effect.gen(function* () {
  const { https } = yield* Listeners
  if (https === undefined) return
  const renew = yield* makeRenewal
  yield* Effect.forkScoped(Effect.repeat(renew, Schedule.spaced(LOOK_EVERY)))
})
