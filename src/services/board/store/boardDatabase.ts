import { Effect, type Redacted } from "effect"
import { StoreError } from "../../platform/sqlite/Sqlite.ts"
import { connectPostgres, PATIENCE_MS } from "./connectPostgres.ts"
import { postgresDb } from "./postgresDb.ts"
import { databaseAway, postgresFault } from "./postgresFault.ts"
import { inspectPostgres, tryToWrite } from "./preparePostgres.ts"

/**
 * The version of the server that `BOARD_URL` names; fails with the reason why the board can't use it. It makes a change
 * and takes it back.
 */
export const boardDatabaseVersion = (url: Redacted.Redacted): Effect.Effect<number, StoreError> =>
  connectPostgres(url, { connections: 1, patienceMs: PATIENCE_MS }).pipe(
    Effect.mapError(postgresFault),
    Effect.flatMap((sql) => Effect.tap(inspectPostgres(postgresDb(sql)), (found) => tryToWrite(sql, found))),
    Effect.map(({ version }) => Math.floor(version / 10_000)),
    // Whoever asks has no log to look into.
    Effect.mapError((error) =>
      typeof error.cause === "string"
        ? new StoreError({ reason: "other", message: `the board's database answered with an error (${error.cause})` })
        : error
    ),
    Effect.timeoutOrElse({ duration: PATIENCE_MS, orElse: () => Effect.fail(databaseAway) }),
    Effect.scoped
  )
