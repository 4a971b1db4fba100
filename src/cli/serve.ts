import { NodeFileSystem, NodePath } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { homeDir, loadSettings, settingsSource } from "../layers/Config.ts"
import { EarlyListeners } from "../layers/Listeners.ts"
import { holdHome, prepareHome } from "../services/platform/settings/consoleHome.ts"
import { Settings } from "../services/platform/settings/Settings.ts"
import { openFolderWarning } from "../services/platform/settings/startRules.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { type ExitCode, exitCodes } from "./exitCodes.ts"
import { runMain } from "./runMain.ts"

const stopWith =
  (exitCode: ExitCode) =>
  ({ message }: { readonly message: string }) =>
    Effect.fail(new CommandFailure({ message, exitCode }))

/** Event loop turns needed to accept, read and answer a connection that's already waiting. */
const TURNS = 4

const letOthersIn = Effect.replicateEffect(
  Effect.callback<void>((resume) => {
    setImmediate(() => resume(Effect.void))
  }),
  TURNS,
  { discard: true }
)

/**
 * Runs the console until it's stopped; `demo` uses the embedded gateway instead of a real one. The ports are open and
 * the web app loads before the services are even read from disk; requests that need them wait.
 */
export const serve = Effect.fnUntraced(
  function* ({ demo, gateways = 1 }: { readonly demo: boolean; readonly gateways?: number }) {
    const settings = yield* loadSettings({ demo })
    const source = yield* settingsSource(settings.installDir, { isRunning: true })
    const openFolder = yield* prepareHome(settings.svcHome, homeDir)
    yield* holdHome(settings.svcHome, homeDir)
    const front = yield* Layer.build(EarlyListeners.pipe(Layer.provide(Settings.layerOf(settings))))
    yield* letOthersIn
    const { keepMemorySmall } = yield* Effect.promise(() => import("../node/heap.ts"))
    yield* keepMemorySmall
    // Loading the app blocks requests for 60 ms; in parts, each with its turns, it's ready 12 ms later.
    yield* letOthersIn
    const { runApp } = yield* Effect.promise(() => import("./runApp.ts"))
    const warnings = openFolder === undefined ? [] : [openFolderWarning(openFolder)]
    return yield* runApp({ settings, source, demo, gateways, front, warnings })
  },
  Effect.scoped,
  Effect.catchTags({
    SettingsError: stopWith(exitCodes.settings),
    HomeError: stopWith(exitCodes.home),
    DeviceIdentityError: stopWith(exitCodes.home),
    StoreError: stopWith(exitCodes.board),
    DemoHomeError: stopWith(exitCodes.home),
    ListenError: stopWith(exitCodes.listen)
  })
)

/**
 * Runs the console without loading the command-line parser: most starts have no options. Until the ports are open it
 * needs nothing of Node but files; a terminal and programs are for the app behind them.
 */
export const start = (options: { readonly demo: boolean }): void =>
  runMain(serve(options).pipe(Effect.provide(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer))))
