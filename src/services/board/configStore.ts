import { Schema } from "effect"
import type { SqlConnection } from "../platform/sqlite/Sqlite.ts"
import { BoardConfig, DEFAULT_BOARD_CONFIG } from "./boardConfig.ts"

const decodeRow = Schema.decodeUnknownSync(Schema.Struct({ value: Schema.fromJsonString(BoardConfig) }))

/** The board's configuration, or the default one until it's changed. */
export const loadConfig = (db: SqlConnection): BoardConfig => {
  const row = db.get("SELECT value FROM board_config")
  return row === undefined ? DEFAULT_BOARD_CONFIG : decodeRow(row).value
}

export const saveConfig = (db: SqlConnection, config: BoardConfig): void => {
  db.run(
    "INSERT INTO board_config (only, value) VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET value = excluded.value",
    JSON.stringify(config)
  )
}
