import { posix } from "node:path"
import { Effect, Layer } from "effect"
import { boardMigrations } from "../services/board/boardMigrations.ts"
import { taskMatches } from "../services/board/taskList.ts"
import { Settings } from "../services/settings/Settings.ts"
import { openSqlite } from "../services/sqlite/openSqlite.ts"
import { Sqlite } from "../services/sqlite/Sqlite.ts"

const boardFunctions = { task_matches: taskMatches }

const open = (path: string, onDamage: "setAside" | "fail") =>
  openSqlite({ path, what: "the board's file", migrations: boardMigrations, functions: boardFunctions, onDamage })

const openConsoleDatabase = (onDamage: "setAside" | "fail") =>
  Effect.flatMap(Settings, ({ svcHome }) => open(posix.join(svcHome, "console.db"), onDamage))

/** The console's database in `{svc_home}/console.db`, migrated, for the life of the process (D40). */
export const SqliteLive = Layer.effect(Sqlite, openConsoleDatabase("setAside"))

/** The same beside a console that may be running: a damaged file is left to that one. */
export const SqliteBeside = Layer.effect(Sqlite, openConsoleDatabase("fail"))

/** The same in memory, gone with the layer; what tests use. */
export const SqliteMemory = Layer.effect(Sqlite, open(":memory:", "fail"))
