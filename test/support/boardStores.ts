import { Layer } from "effect"
import { SqliteLive, SqliteMemory } from "../../src/layers/Sqlite.ts"
import { Board } from "../../src/services/board/Board.ts"
import { SqliteBoard } from "../../src/services/board/store/sqliteBoard.ts"
import { EventBus } from "../../src/services/platform/events/EventBus.ts"

/** What a board stands on, in memory. */
export const boardInMemory = SqliteBoard.pipe(Layer.provideMerge(SqliteMemory), Layer.merge(EventBus.layer))

/** The board in the console's file; needs the settings. */
export const boardInFile = Board.layer.pipe(
  Layer.provideMerge(SqliteBoard),
  Layer.provideMerge(Layer.mergeAll(SqliteLive, EventBus.layer))
)
