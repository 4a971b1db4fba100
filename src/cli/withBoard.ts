import { Context, Effect, Layer, type Redacted, References } from "effect"
import { BoardStore, type BoardStoreShape } from "../services/board/store/BoardStore.ts"
import { SqliteBoard } from "../services/board/store/sqliteBoard.ts"
import { withDatabase } from "./withDatabase.ts"

/** A command moves whole boards, and nobody waits for it but who started it. */
const PATIENCE_MS = 10 * 60 * 1000

/** A command carries out no runs. */
const COMMAND = { device: "", owner: "command", name: "", gateway: "" }

/** The board in a PostgreSQL database. */
export const boardAt = (url: Redacted.Redacted) =>
  Effect.gen(function* () {
    const { PostgresBoard } = yield* Effect.promise(() => import("../services/board/store/postgresBoard.ts"))
    const store = yield* Layer.build(PostgresBoard({ url, self: COMMAND, patienceMs: PATIENCE_MS }))
    return Context.get(store, BoardStore)
  })

/** The board in the console's own folder. */
export const boardInFolder = Effect.map(Layer.build(SqliteBoard), Context.get(BoardStore))

/** Opens the board where the settings say it is, possibly while a console is running. */
export const withBoard = <A, E, R>(
  use: (store: BoardStoreShape, boardUrl: Redacted.Redacted<string> | undefined) => Effect.Effect<A, E, R>
) =>
  withDatabase(({ boardUrl }) =>
    Effect.flatMap(boardUrl === undefined ? boardInFolder : boardAt(boardUrl), (store) => use(store, boardUrl)).pipe(
      Effect.scoped,
      // What's wrong is said in one sentence at the end.
      Effect.provideService(References.MinimumLogLevel, "None")
    )
  )
