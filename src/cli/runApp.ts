import { Context, Effect, Layer, Schedule } from "effect"
import type { StaticFiles } from "../http/static/StaticFiles.ts"
import type { Listeners } from "../layers/Listeners.ts"
import { Main } from "../layers/Main.ts"
import { observability, tell } from "../layers/Observability.ts"
import { Listening } from "../layers/Servers.ts"
import { GatewayClient } from "../services/gateway/GatewayClient.ts"
import { Settings, type SettingsShape } from "../services/settings/Settings.ts"
import type { RequestTrust } from "../services/trust/RequestTrust.ts"
import { addressLines, gatewayLine } from "./banner.ts"
import { giveBackStart } from "./memory.ts"
import { webIsBuilt } from "./webIsBuilt.ts"

/** How long the line about the gateway waits for a link that is just opening. */
const GATEWAY_PATIENCE = "3 seconds"

/** The demonstration and its gateway are loaded only when asked for. */
const graphOf = (demo: boolean) =>
  demo
    ? Effect.map(
        Effect.promise(() => import("../layers/Demo.ts")),
        ({ Demo }) => Demo
      )
    : Effect.succeed(Main)

const settledStatus = (client: GatewayClient["Service"]) =>
  Effect.repeat(client.status, {
    schedule: Schedule.spaced("50 millis"),
    until: ({ gateway }) => gateway === "ok"
  }).pipe(Effect.timeoutOption(GATEWAY_PATIENCE), Effect.andThen(client.status))

/** Builds everything behind the open ports and runs it for good; tells the terminal where it is and how the gateway is. */
export const runApp = Effect.fnUntraced(function* (options: {
  readonly settings: SettingsShape
  readonly demo: boolean
  readonly front: Context.Context<Listeners | RequestTrust | StaticFiles>
}) {
  const { settings, demo, front } = options
  const graph = yield* graphOf(demo)
  const context = yield* Layer.build(
    graph.pipe(
      Layer.provide(Layer.succeedContext(front)),
      Layer.provide(Settings.layerOf(settings)),
      Layer.provide(observability(settings))
    )
  )
  yield* Effect.forkScoped(giveBackStart)
  const webBuilt = yield* webIsBuilt(settings.webRoot)
  yield* tell(settings, addressLines({ settings, ports: Context.get(context, Listening), demo, webBuilt }))
  const status = yield* settledStatus(Context.get(context, GatewayClient))
  yield* tell(settings, gatewayLine({ status, url: settings.gatewayUrl, demo }))
  return yield* Effect.never
})
