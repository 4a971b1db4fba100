import { Effect, Schema } from "effect"
import { BoardConfig } from "../../../contract/schema/boardConfig.ts"
import { isRow, isText } from "../../platform/sqlite/rowGuards.ts"
import { DEFAULT_BOARD_CONFIG } from "../boardConfig.ts"
import type { BoardDb } from "./BoardStore.ts"

const isConfigRow = isRow([isText])
const decodeConfig = Schema.decodeUnknownSync(Schema.fromJsonString(BoardConfig))

/** The text that was decoded last: every change of the board reads the configuration, which hardly ever changes. */
let latest = { text: JSON.stringify(DEFAULT_BOARD_CONFIG), config: DEFAULT_BOARD_CONFIG }

const configOf = (text: string): BoardConfig => {
  if (latest.text !== text) latest = { text, config: decodeConfig(text) }
  return latest.config
}

/** The board's configuration, or the default one until it's changed; the same object until it changes. */
export const loadConfig = (db: BoardDb) =>
  Effect.mapEager(db.rows("SELECT value FROM board_config"), ([row]) =>
    row === undefined ? DEFAULT_BOARD_CONFIG : configOf(isConfigRow(row) ? row[0] : "")
  )

export const saveConfig = (db: BoardDb, config: BoardConfig) =>
  db.run(
    `INSERT INTO board_config ("only", value) VALUES (1, ?) ON CONFLICT ("only") DO UPDATE SET value = excluded.value`,
    JSON.stringify(config)
  )
