import { Effect, Schema } from "effect"
import { DEFAULT_TITLES, type TaskStatus } from "../../contract/board.ts"
import { BoardConfig, type BoardConfigPatch, DEFAULT_PARALLEL } from "../../contract/schema/boardConfig.ts"
import { isRow, isText } from "../platform/sqlite/rowGuards.ts"
import type { BoardDb } from "./store/BoardStore.ts"

const column = (key: TaskStatus, visible = true) => ({ key, title: DEFAULT_TITLES[key], visible })

/** The configuration of a new board. */
export const DEFAULT_BOARD_CONFIG: BoardConfig = {
  columns: [
    column("backlog"),
    column("todo"),
    column("in-progress"),
    column("review"),
    column("done"),
    column("cancelled", false)
  ],
  defaults: { status: "todo", priority: "normal" },
  reviewRequired: true,
  allowDoneDragBypass: false,
  quickViewLimit: 5,
  proposalPolicy: "confirm",
  parallel: DEFAULT_PARALLEL,
  handOver: true
}

/** The configuration with the named parts replaced. */
export const updateConfig = (config: BoardConfig, patch: BoardConfigPatch): BoardConfig => {
  const { defaults, defaultModel, parallel, ...rest } = patch
  const { defaultModel: currentModel, ...current } = config
  const model = defaultModel === undefined ? currentModel : defaultModel
  return {
    ...current,
    ...rest,
    defaults: { ...current.defaults, ...defaults },
    parallel: { ...current.parallel, ...parallel },
    ...(model === undefined || model === null ? {} : { defaultModel: model })
  }
}

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
