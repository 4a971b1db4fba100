import type { PgClient } from "@effect/sql-pg"
import { Effect, type Redacted, Schema } from "effect"
import { StoreError } from "../../platform/sqlite/Sqlite.ts"
import type { BoardDb } from "./BoardStore.ts"
import { connectPostgres, PATIENCE_MS, postgresDb } from "./postgresDb.ts"
import { databaseAway, POOLER, postgresFault, unavailable } from "./postgresFault.ts"
import { BOARD_SCHEMA, MIGRATION_LOCK, postgresMigrations, schemaNumber } from "./postgresSchema.ts"

const OLDEST = 15

const decodeServer = Schema.decodeUnknownSync(
  Schema.Struct({
    version: Schema.Int,
    encoding: Schema.String,
    replica: Schema.Boolean,
    /** Whether the connection has the requested settings; a pooler drops them or reuses another connection. */
    direct: Schema.Boolean,
    schema: Schema.Boolean,
    made: Schema.Boolean
  })
)
const decodeNumber = Schema.decodeUnknownSync(Schema.Struct({ number: Schema.Int }))
const decodeRevision = Schema.decodeUnknownSync(Schema.Struct({ revision: Schema.Int }))

/** Why this server can't hold the board; `version` as in `server_version_num`. */
export const serverProblem = (server: {
  readonly version: number
  readonly encoding: string
  readonly replica: boolean
  readonly direct: boolean
}): string | undefined => {
  if (server.version < OLDEST * 10_000) {
    return `the board needs PostgreSQL ${OLDEST} or newer, and BOARD_URL names a server of version ${Math.floor(server.version / 10_000)}`
  }
  if (!server.direct) return POOLER.message
  if (server.encoding !== "UTF8") return "the board needs a database in UTF8: create it with ENCODING 'UTF8'"
  return server.replica ? "BOARD_URL names a read-only copy: it has to name the primary server" : undefined
}

/** Why a board whose schema has this number can't be used. */
const schemaProblem = (number: number): string | undefined =>
  number > postgresMigrations.length
    ? "the board's database was written by a newer version of Agent Console: update this console"
    : undefined

const numberOf = (db: BoardDb) =>
  Effect.map(db.get("SELECT number FROM board_schema"), (row) => decodeNumber(row).number)

const refuse = (problem: string | undefined): Effect.Effect<void, StoreError> =>
  problem === undefined ? Effect.void : Effect.fail(unavailable({ message: problem }))

/** Checks whether the server can hold the board, and how far its tables are. */
export const inspectPostgres = Effect.fnUntraced(function* (db: BoardDb) {
  const server = decodeServer(
    yield* db.get(
      `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS replica,
         current_setting('search_path') = '${BOARD_SCHEMA}' AS direct,
         to_regnamespace('${BOARD_SCHEMA}') IS NOT NULL AS schema,
         to_regclass('${BOARD_SCHEMA}.board_schema') IS NOT NULL AS made`
    )
  )
  yield* refuse(serverProblem(server))
  const isNow = server.made ? yield* numberOf(db) : 0
  yield* refuse(schemaProblem(isNow))
  return { ...server, number: isNow }
})

/** Ends a transaction of which nothing stays. */
class Undone extends Schema.TaggedError<Undone>()("Undone", {}) {}

const trial = (found: { readonly schema: boolean; readonly made: boolean }): string => {
  if (found.made) return "INSERT INTO board_events (revision, body) VALUES (-1, '')"
  return found.schema ? "CREATE TABLE board_trial (n integer)" : `CREATE SCHEMA ${BOARD_SCHEMA}`
}

/** Makes a change as the board does, and takes it back: a server that can be read may still refuse to write. */
export const tryToWrite = (
  sql: PgClient.PgClient,
  found: { readonly schema: boolean; readonly made: boolean }
): Effect.Effect<void, StoreError> =>
  postgresDb(sql)
    .run(trial(found))
    .pipe(
      Effect.andThen(Effect.fail(new Undone())),
      sql.withTransaction,
      Effect.catchTags({ Undone: () => Effect.void, SqlError: (error) => Effect.fail(postgresFault(error)) })
    )

/** Checks the server and brings the board's tables up to date; gives the number of the last commit. */
export const preparePostgres = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const db = postgresDb(sql)
  const { number: isNow, schema } = yield* inspectPostgres(db)
  if (isNow < postgresMigrations.length) {
    yield* Effect.gen(function* () {
      yield* db.run("SELECT pg_advisory_xact_lock(?)", MIGRATION_LOCK)
      for (const statement of schema ? schemaNumber.slice(1) : schemaNumber) yield* db.run(statement)
      // Another console may have done it while this one waited.
      const before = yield* numberOf(db)
      yield* refuse(schemaProblem(before))
      for (const statement of postgresMigrations.slice(before).flat()) yield* db.run(statement)
      yield* db.run("UPDATE board_schema SET number = ?", postgresMigrations.length)
    }).pipe(
      sql.withTransaction,
      Effect.catchTag("SqlError", (error) => Effect.fail(postgresFault(error)))
    )
  }
  return decodeRevision(yield* db.get("SELECT revision FROM board_state")).revision
})

/**
 * The version of the server that `BOARD_URL` names; fails with the reason why the board can't use it. It makes a change
 * and takes it back.
 */
export const boardDatabaseVersion = (url: Redacted.Redacted): Effect.Effect<number, StoreError> =>
  connectPostgres(url, { connections: 1, patienceMs: PATIENCE_MS }).pipe(
    Effect.mapError(postgresFault),
    Effect.flatMap((sql) => Effect.tap(inspectPostgres(postgresDb(sql)), (found) => tryToWrite(sql, found))),
    Effect.map(({ version }) => Math.floor(version / 10_000)),
    // The caller has no log to look into.
    Effect.mapError((error) =>
      typeof error.cause === "string"
        ? new StoreError({ reason: "other", message: `the board's database answered with an error (${error.cause})` })
        : error
    ),
    Effect.timeoutOrElse({ duration: PATIENCE_MS, orElse: () => Effect.fail(databaseAway) }),
    Effect.scoped
  )
