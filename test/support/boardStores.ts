import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { SqliteLive, SqliteMemory } from "../../src/layers/Sqlite.ts"
import { Board } from "../../src/services/board/Board.ts"
import { BoardStore, type ConsoleName } from "../../src/services/board/store/BoardStore.ts"
import { PostgresBoard } from "../../src/services/board/store/postgresBoard.ts"
import { SqliteBoard } from "../../src/services/board/store/sqliteBoard.ts"
import { EventBus } from "../../src/services/platform/events/EventBus.ts"
import { tellingRest } from "./storeAtRest.ts"

/** The dependencies of a board, in memory. */
export const boardInMemory = SqliteBoard.pipe(Layer.provideMerge(SqliteMemory), Layer.merge(EventBus.layer))

/** The board in the console's file; needs the settings. */
export const boardInFile = Board.layer.pipe(
  Layer.provideMerge(SqliteBoard),
  Layer.provideMerge(Layer.mergeAll(SqliteLive, EventBus.layer))
)

const FIRST: ConsoleName = { device: "first", owner: "first:1", name: "first", gateway: "here:18789" }

/** A busy machine can exceed the time limits for people. */
const PATIENCE_MS = 120_000

/** The dependencies of a shared board. The test's clock dates its changes; its responses take real time. */
export const boardOnServer = (url: string, self = FIRST) => {
  const store = Layer.build(
    PostgresBoard({ url: Redacted.make(url), self, clock: Clock.currentTimeMillis, patienceMs: PATIENCE_MS })
  )
  return Layer.build(
    Layer.effect(
      BoardStore,
      TestClock.withLive(Effect.map(store, (built) => tellingRest(Context.get(built, BoardStore))))
    ).pipe(Layer.provideMerge(SqliteMemory), Layer.merge(EventBus.layer))
  )
}
