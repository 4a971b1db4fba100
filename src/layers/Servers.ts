import type { Server } from "node:http"
import { type AddressInfo, createServer, isIP } from "node:net"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer, Stdio, Terminal } from "effect"
import { Etag, HttpClient, HttpRouter, HttpServer } from "effect/http"
import { ChildProcessSpawner } from "effect/process"
import { App } from "../http/App.ts"
import { ROUTER_CONFIG } from "../http/GuardedRouter.ts"
import { LocalAccess } from "../services/access/local/LocalAccess.ts"
import { isLoopbackServer } from "../services/access/local/readAccess.ts"
import { ServerReady } from "../services/platform/ServerReady.ts"
import { localOrigin } from "../services/platform/settings/startRules.ts"
import { type Listener, Listeners } from "./Listeners.ts"

const LOOPBACK = "127.0.0.1"

const addressOf = ({ address, port }: Pick<AddressInfo, "address" | "port">): string | undefined => {
  const text = localOrigin({ host: address.replace(/%.*$/, ""), port })
  return isIP(address) !== 0 && URL.canParse(text) ? new URL(text).origin : undefined
}

/** Opens a second way to a server, on the same port of the loopback, for the surrounding scope. */
const openDoor = Effect.fnUntraced(function* (server: Server, port: number) {
  // As Node's own HTTP server is made; what comes in is handled as if it had come there.
  const door = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket))
  yield* Effect.addFinalizer(() => Effect.sync(() => door.close()))
  yield* Effect.callback<void, unknown>((resume) => {
    door.once("error", (cause) => resume(Effect.fail(cause)))
    door.listen({ port, host: LOOPBACK }, () => resume(Effect.void))
  })
  return addressOf({ address: LOOPBACK, port })
})

/**
 * Where commands on this machine reach a listening server. They only believe a loopback address, so a server that
 * listens on one other address of this machine also answers at the same port of the loopback. `undefined` if it can't.
 */
export const localDoor = Effect.fn("localDoor")(
  function* (server: Server, bound: string | AddressInfo | null = server.address()) {
    if (typeof bound !== "object" || bound === null) return undefined
    const own = addressOf(bound)
    return own !== undefined && isLoopbackServer(own) ? own : yield* openDoor(server, bound.port)
  },
  Effect.catch((cause) =>
    Effect.as(
      Effect.logWarning(`Commands can't reach this console, because its port is taken on ${LOOPBACK}`, cause),
      undefined
    )
  )
)

/** The ports this process answers on. */
export class Listening extends Context.Service<
  Listening,
  {
    readonly http: number
    /** `undefined` without a certificate. */
    readonly https: number | undefined
  }
>()("agent-console/layers/Listening") {}

/** Head start for requests that waited for the app, before background work begins. */
const FIRST_REQUESTS = "25 millis"

/** What comes with the server and its platform, and that nothing uses while a request is handled. */
const UNUSED = new Set(
  [
    HttpServer.HttpServer,
    HttpRouter.RouterConfig,
    Etag.Generator,
    HttpClient.HttpClient,
    ChildProcessSpawner.ChildProcessSpawner,
    Terminal.Terminal,
    Stdio.Stdio,
    Layer.CurrentMemoMap
  ].map(({ key }) => key)
)

/**
 * What the fiber of a request starts with; the routes took their services when they were made. Effect copies this
 * several times for a request: with everything in it, a small answer takes a fifth more processor time.
 */
const requestContext = <Services>(all: Context.Context<Services>): Context.Context<Services> =>
  Context.makeUnsafe(
    new Map([...all.mapUnsafe].filter(([key]) => !key.startsWith("agent-console/") && !UNUSED.has(key)))
  )

/** Puts the app behind an open port for the surrounding scope and lets waiting requests in. */
const serve = Effect.fnUntraced(function* ({ deferred, port }: Listener) {
  const server = NodeHttpServer.layer(() => deferred.server, { gracefulShutdownTimeout: 0 })
  yield* Layer.build(
    Layer.effectDiscard(
      Effect.gen(function* () {
        const listening = yield* HttpServer.HttpServer
        const serving = listening.serve(yield* HttpRouter.toHttpEffect(App))
        type Needed = Context.Context<Effect.Services<typeof serving>>
        yield* Effect.updateContext(serving, (all: Needed) => requestContext(all))
      })
    ).pipe(Layer.provide([server, Layer.succeed(HttpRouter.RouterConfig, ROUTER_CONFIG)]), Layer.orDie)
  )
  deferred.open()
  return port
})

/** The app behind every open port. */
export const Servers = Layer.effect(
  Listening,
  Effect.gen(function* () {
    const listeners = yield* Listeners
    const serverReady = yield* ServerReady
    const local = yield* LocalAccess
    const http = yield* serve(listeners.http)
    const https = listeners.https === undefined ? undefined : yield* serve(listeners.https)
    const address = yield* localDoor(listeners.http.deferred.server)
    if (address !== undefined) yield* local.announce(address)
    yield* Effect.forkScoped(Effect.delay(serverReady.open, FIRST_REQUESTS))
    return { http, https }
  })
)
