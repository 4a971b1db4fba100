import { PgClient } from "@effect/sql-pg"
import { Effect, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { postgresTypes } from "./postgresDb.ts"
import { BOARD_SCHEMA } from "./postgresSchema.ts"

/** A request gets its answer within two seconds, whatever the database does. */
export const PATIENCE_MS = 1700

const APPLICATION = "agent-console"

interface ConnectOptions {
  readonly connections: number
  /** What the server calls these connections, after `agent-console`. */
  readonly name?: string
  /** How long an answer may take. */
  readonly patienceMs: number
}

/** A client of the board's database; it connects when it's first asked. */
export const connectPostgres = (url: Redacted.Redacted, { connections, name, patienceMs }: ConnectOptions) =>
  PgClient.make({
    url,
    maxConnections: connections,
    connectTimeout: "1500 millis",
    keepAlive: "10 seconds",
    applicationName: name === undefined ? APPLICATION : `${APPLICATION} ${name}`,
    types: postgresTypes,
    startupParameters: {
      search_path: BOARD_SCHEMA,
      // What was acknowledged stays, whatever the server's own default is.
      synchronous_commit: "on",
      lock_timeout: `${patienceMs - 200}ms`,
      statement_timeout: `${patienceMs - 100}ms`,
      // A console that is stopped in the middle of a change doesn't hold up the others.
      idle_in_transaction_session_timeout: "2000ms"
    }
  }).pipe(Effect.provide(Reactivity.layer))
