import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { App } from "../http/App.ts"
import { Settings } from "../services/settings/Settings.ts"

const http = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings
    return NodeHttpServer.layer(createServer, {
      port: settings.port,
      host: settings.host,
      gracefulShutdownTimeout: 0
    })
  })
)

/** The listeners of this process; open streams end at once when it stops (DESIGN "Who owns what"). */
export const Servers = HttpRouter.serve(App, { disableLogger: true, disableListenLog: true }).pipe(Layer.provide(http))
