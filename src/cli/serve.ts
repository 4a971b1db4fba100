import { Context, Effect, Layer, Schedule } from "effect"
import { homeDir, loadSettings } from "../layers/Config.ts"
import { Main } from "../layers/Main.ts"
import { observability, tell } from "../layers/Observability.ts"
import { Listening } from "../layers/Servers.ts"
import { GatewayClient } from "../services/gateway/GatewayClient.ts"
import { prepareHome } from "../services/settings/prepareHome.ts"
import { Settings } from "../services/settings/Settings.ts"
import { addressLines, gatewayLine } from "./banner.ts"
import { type ExitCode, exitCodes } from "./exitCodes.ts"
import { Stop } from "./Stop.ts"
import { webIsBuilt } from "./webIsBuilt.ts"

/** How long the line about the gateway waits for a link that is just opening. */
const GATEWAY_PATIENCE = "3 seconds"

const stopWith =
  (exitCode: ExitCode) =>
  ({ message }: { readonly message: string }) =>
    Effect.fail(new Stop({ message, exitCode }))

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

/** Runs the console until a signal ends it; `demo` puts the embedded gateway in the place of a real one. */
export const serve = Effect.fnUntraced(
  function* ({ demo }: { readonly demo: boolean }) {
    const settings = yield* loadSettings({ demo })
    yield* prepareHome(settings.svcHome, homeDir)
    const graph = yield* graphOf(demo)
    const context = yield* Layer.build(
      graph.pipe(Layer.provide(Settings.layerOf(settings)), Layer.provide(observability(settings)))
    )
    const webBuilt = yield* webIsBuilt(settings.webRoot)
    yield* tell(settings, addressLines({ settings, ports: Context.get(context, Listening), demo, webBuilt }))
    const status = yield* settledStatus(Context.get(context, GatewayClient))
    yield* tell(settings, gatewayLine({ status, url: settings.gatewayUrl, demo }))
    return yield* Effect.never
  },
  Effect.scoped,
  Effect.catchTags({
    SettingsError: stopWith(exitCodes.settings),
    HomeError: stopWith(exitCodes.home),
    StoreError: stopWith(exitCodes.board),
    DemoHomeError: stopWith(exitCodes.home),
    ListenError: stopWith(exitCodes.listen)
  })
)
