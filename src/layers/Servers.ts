import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { App } from "../http/App.ts"
import { ROUTER_CONFIG } from "../http/routerConfig.ts"
import { Answering } from "../services/startup/Answering.ts"
import { type Listener, Listeners } from "./Listeners.ts"

/** The ports this process answers on. */
export class Listening extends Context.Service<
  Listening,
  {
    readonly http: number
    /** `undefined` without a certificate. */
    readonly https: number | undefined
  }
>()("agent-console/layers/Listening") {}

/** Head start of the requests that wait for the app, before the work nobody asked for begins. */
const FIRST_REQUESTS = "25 millis"

const app = HttpRouter.serve(App, {
  disableLogger: true,
  disableListenLog: true,
  routerConfig: ROUTER_CONFIG
})

/** Puts the app behind an open port for the surrounding scope and lets in who waited. */
const serve = Effect.fnUntraced(function* ({ door, port }: Listener) {
  yield* Layer.build(
    app.pipe(Layer.provide(NodeHttpServer.layer(() => door.server, { gracefulShutdownTimeout: 0 })), Layer.orDie)
  )
  door.open()
  return port
})

/** The app behind every open port. */
export const Servers = Layer.effect(
  Listening,
  Effect.gen(function* () {
    const listeners = yield* Listeners
    const answering = yield* Answering
    const http = yield* serve(listeners.http)
    const https = listeners.https === undefined ? undefined : yield* serve(listeners.https)
    yield* Effect.forkScoped(Effect.delay(answering.open, FIRST_REQUESTS))
    return { http, https }
  })
)
