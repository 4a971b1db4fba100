import { Effect, Layer } from "effect"
import { homeDir, loadSettings } from "../layers/Config.ts"
import { Front } from "../layers/Listeners.ts"
import { prepareHome } from "../services/settings/prepareHome.ts"
import { Settings } from "../services/settings/Settings.ts"
import { type ExitCode, exitCodes } from "./exitCodes.ts"
import { keepMemorySmall } from "./memory.ts"
import { Stop } from "./Stop.ts"

const stopWith =
  (exitCode: ExitCode) =>
  ({ message }: { readonly message: string }) =>
    Effect.fail(new Stop({ message, exitCode }))

/** Turns of the event loop in which a connection that is there already is taken, read and answered. */
const TURNS = 4

const letOthersIn = Effect.replicateEffect(
  Effect.callback<void>((resume) => {
    setImmediate(() => resume(Effect.void))
  }),
  TURNS,
  { discard: true }
)

/**
 * Runs the console until a signal ends it; `demo` puts the embedded gateway in the place of a real one. The ports are
 * open and the web app loads before the services are even read from disk; what needs them waits.
 */
export const serve = Effect.fnUntraced(
  function* ({ demo }: { readonly demo: boolean }) {
    const settings = yield* loadSettings({ demo })
    yield* prepareHome(settings.svcHome, homeDir)
    const front = yield* Layer.build(Front.pipe(Layer.provide(Settings.layerOf(settings))))
    yield* letOthersIn
    yield* keepMemorySmall
    const { runApp } = yield* Effect.promise(() => import("./runApp.ts"))
    return yield* runApp({ settings, demo, front })
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
