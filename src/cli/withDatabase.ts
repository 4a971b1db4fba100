import { Effect, Layer } from "effect"
import { homeDir } from "../layers/Config.ts"
import { SqliteBeside } from "../layers/Sqlite.ts"
import { prepareHome } from "../services/platform/settings/consoleHome.ts"
import { Settings, type SettingsShape } from "../services/platform/settings/Settings.ts"
import type { Sqlite } from "../services/platform/sqlite/Sqlite.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { loadCommandSettings, sayWhatIsNotRead } from "./commandSettings.ts"
import { exitCodes } from "./exitCodes.ts"

/** The database refused, or what's in it doesn't allow this. */
export const refuse = (message: string) => new CommandFailure({ message, exitCode: exitCodes.board })

const opened = Effect.gen(function* () {
  yield* sayWhatIsNotRead("set SVC_HOME or BOARD_URL in the environment if the board isn't in ~/.agent-console")
  const settings = yield* loadCommandSettings
  yield* prepareHome(settings.svcHome, homeDir)
  const database = yield* Layer.build(Layer.provide(SqliteBeside, Settings.layerOf(settings)))
  return { settings, database }
}).pipe(
  Effect.catchTags({
    SettingsError: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.settings }),
    HomeError: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.home }),
    StoreError: ({ message }) => refuse(message)
  })
)

/** Opens the console's database, possibly while a console is running; if it can't be, the program ends with a sentence. */
export const withDatabase = <A, E, R>(use: (settings: SettingsShape) => Effect.Effect<A, E, R | Sqlite>) =>
  Effect.flatMap(opened, ({ settings, database }) => Effect.provide(use(settings), database)).pipe(Effect.scoped)
