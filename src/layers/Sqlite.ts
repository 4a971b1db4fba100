import { posix } from "node:path"
import { Effect, Layer } from "effect"
import { boardMigrations } from "../services/board/boardMigrations.ts"
import { taskMatches } from "../services/board/taskList.ts"
import { Settings } from "../services/settings/Settings.ts"
import { openSqlite } from "../services/sqlite/openSqlite.ts"
import { Sqlite } from "../services/sqlite/Sqlite.ts"

const boardFunctions = { task_matches: taskMatches }

/** The console's database in `{svc_home}/console.db`, migrated, for the life of the process (D40). */
export const SqliteLive = Layer.effect(
  Sqlite,
  Effect.gen(function* () {
    const settings = yield* Settings
    return yield* openSqlite({
      path: posix.join(settings.svcHome, "console.db"),
      migrations: boardMigrations,
      functions: boardFunctions,
      onDamage: "setAside"
    })
  })
)

/** The same in memory, gone with the layer; what tests use. */
export const SqliteMemory = Layer.effect(
  Sqlite,
  openSqlite({ path: ":memory:", migrations: boardMigrations, functions: boardFunctions, onDamage: "fail" })
)
