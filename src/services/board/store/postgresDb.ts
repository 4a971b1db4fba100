import { PgClient, PgTypes } from "@effect/sql-pg"
import { Effect, type Redacted, Result } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlValue } from "../../platform/sqlite/Sqlite.ts"
import type { BoardDb } from "./BoardStore.ts"
import { postgresFault } from "./postgresFault.ts"
import { BOARD_SCHEMA } from "./postgresSchema.ts"

const INT8 = 20

/** Whole numbers of 8 bytes as numbers: the board's stay within the safe integers. */
const numbersOf8Bytes = () => {
  const types = PgTypes.makeRegistry()
  types.register(INT8, {
    encode: (value: number) => {
      const bytes = new Uint8Array(8)
      new DataView(bytes.buffer).setBigInt64(0, BigInt(value))
      return Result.succeed(bytes)
    },
    decode: (bytes) =>
      Result.succeed(Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigInt64(0)))
  })
  return types
}

const postgresTypes = numbersOf8Bytes()

const texts = new Map<string, string>()

/** The statement with `$1`, `$2`, … for its question marks. */
const numbered = (sql: string): string => {
  const known = texts.get(sql)
  if (known !== undefined) return known
  let count = 0
  const made = sql.replace(/\?/g, () => `$${++count}`)
  texts.set(sql, made)
  return made
}

// PostgreSQL's texts can't hold U+0000, so it's written as U+FDD0 (no character by Unicode's rules) and U+FDD2.
const MARK = "\uFDD0"
const needsMark = /[\0\uFDD0]/

/** A text as PostgreSQL can hold it. */
const toPostgres = (value: SqlValue): SqlValue =>
  typeof value === "string" && needsMark.test(value)
    ? value.replace(/[\0\uFDD0]/g, (one) => (one === "\0" ? `${MARK}\uFDD2` : `${MARK}\uFDD1`))
    : value

/** The same text as it was given. */
const fromPostgres = (value: unknown): unknown =>
  typeof value === "string" && value.includes(MARK)
    ? value.replace(/\uFDD0[\uFDD1\uFDD2]/g, (one) => (one.endsWith("\uFDD2") ? "\0" : MARK))
    : value

const object = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, fromPostgres(value)]))

/** The board's statements over a client: inside its transaction where there is one. */
export const postgresDb = (sql: PgClient.PgClient): BoardDb => {
  const ask = (text: string, params: ReadonlyArray<SqlValue>) =>
    sql.unsafe<object>(numbered(text), params.map(toPostgres))
  const all: BoardDb["all"] = (text, ...params) =>
    Effect.mapBoth(ask(text, params), { onSuccess: (rows) => rows.map(object), onFailure: postgresFault })
  return {
    dialect: "postgres",
    all,
    rows: (text, ...params) =>
      Effect.mapBoth(ask(text, params).values, {
        onSuccess: (rows) => rows.map((row) => row.map(fromPostgres)),
        onFailure: postgresFault
      }),
    get: (text, ...params) => Effect.map(all(text, ...params), ([row]) => row),
    run: (text, ...params) =>
      Effect.mapBoth(ask(text, params), { onSuccess: () => undefined, onFailure: postgresFault }),
    generation: Effect.mapBoth(ask("SELECT generation FROM board_state", []).values, {
      onSuccess: ([row]) => Number(row?.[0]),
      onFailure: postgresFault
    })
  }
}

/** A request is answered within two seconds, even if the database is slow. */
export const PATIENCE_MS = 1700

const APPLICATION = "agent-console"

interface ConnectOptions {
  readonly connections: number
  /** What the server calls these connections, after `agent-console`. */
  readonly name?: string
  /** How long an answer may take. */
  readonly patienceMs: number
}

/** A client of the board's database; it connects with the first query. */
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
      // An acknowledged change is durable, independent of the server's default.
      synchronous_commit: "on",
      lock_timeout: `${patienceMs - 200}ms`,
      statement_timeout: `${patienceMs - 100}ms`,
      // A console that is stopped in the middle of a change doesn't hold up the others.
      idle_in_transaction_session_timeout: "2000ms"
    }
  }).pipe(Effect.provide(Reactivity.layer))
