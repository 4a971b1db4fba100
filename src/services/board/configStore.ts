import { Effect, Schema } from "effect"
import { BoardConfig, DEFAULT_BOARD_CONFIG } from "./boardConfig.ts"
import type { BoardDb } from "./store/BoardStore.ts"

const decodeRow = Schema.decodeUnknownSync(Schema.Struct({ value: Schema.fromJsonString(BoardConfig) }))

/** The board's configuration, or the default one until it's changed. */
export const loadConfig = (db: BoardDb) =>
  Effect.map(
    db.get("SELECT value FROM board_config"),
    (row): BoardConfig => (row === undefined ? DEFAULT_BOARD_CONFIG : decodeRow(row).value)
  )

export const saveConfig = (db: BoardDb, config: BoardConfig) =>
  db.run(
    `INSERT INTO board_config ("only", value) VALUES (1, ?) ON CONFLICT ("only") DO UPDATE SET value = excluded.value`,
    JSON.stringify(config)
  )
