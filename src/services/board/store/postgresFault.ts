import type { SqlError } from "effect/sql"
import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import { StoreError } from "../../platform/sqlite/Sqlite.ts"

const AWAY = failure("DATABASE_UNREACHABLE")

const READ_ONLY = {
  message: "the board's database is read-only at the moment: BOARD_URL has to name the primary server"
}

/** For poolers between the console and the server, which share connections and have settings of their own. */
export const POOLER = {
  message: "BOARD_URL leads to a connection pooler, which can't wake consoles: give the database server's own address"
}

/** What PostgreSQL says about itself, by SQLSTATE; everything else is a mistake of this program. */
const SENTENCES: Readonly<Record<string, Failure>> = {
  "25006": READ_ONLY,
  "28000": {
    message: "the board's database doesn't let the console in: check the user in BOARD_URL and the server's pg_hba.conf"
  },
  "28P01": { message: "the board's database refuses the user or the password in BOARD_URL" },
  "3D000": { message: "the server has no database with the name in BOARD_URL: create it, or correct the name" },
  "42501": {
    message: "the board's database doesn't let this user do that: the user in BOARD_URL has to own the board's schema"
  },
  "53100": { message: "the board's database has no space left: make room on its disk" },
  "53200": { message: "the board's database is out of memory: the console keeps trying" },
  "53300": { message: "the board's database has no connection left: raise its max_connections, or run fewer consoles" },
  "55P03": failure("DATABASE_BUSY"),
  "57014": failure("DATABASE_SLOW"),
  "40001": failure("DATABASE_BUSY"),
  "40P01": failure("DATABASE_BUSY"),
  "57P01": AWAY,
  "57P02": AWAY,
  "57P03": AWAY,
  "57P05": AWAY,
  "25P03": AWAY,
  "25P04": AWAY
}

const OTHER = failure("DATABASE_FAILED")

const codeOf = (cause: unknown): string => {
  const code: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, "code") : undefined
  return typeof code === "string" ? code : ""
}

/** The board can't be used for now, for a reason outside this program; no reported change was lost. */
export const unavailable = (why: Failure): StoreError => new StoreError({ reason: "unavailable", ...why })

export const databaseAway: StoreError = unavailable(AWAY)

/** Whether this is what a server says that may be read but not written to. */
export const isReadOnly = (failure: unknown): boolean =>
  failure instanceof StoreError && failure.message === READ_ONLY.message

/** No server of PostgreSQL refuses how the console connects; poolers know few of its parameters. */
const isPooler = ({ cause }: SqlError.SqlError["reason"]): boolean =>
  codeOf(cause) === "08P01" && cause instanceof Error && /startup parameter|pgbouncer/i.test(cause.message)

/** The cause for the log: what the server said, which names neither address nor password. */
const logged = ({ reason }: SqlError.SqlError): string => `${reason._tag} ${codeOf(reason.cause)}`.trim()

/** Explains a failure of PostgreSQL in one sentence that names neither the address nor the password. */
export const postgresFault = (error: SqlError.SqlError): StoreError => {
  const { reason } = error
  const known = SENTENCES[codeOf(reason.cause)]
  if (known !== undefined) return unavailable(known)
  if (isPooler(reason)) return unavailable(POOLER)
  switch (reason._tag) {
    case "ConnectionError":
      return databaseAway
    case "AuthenticationError":
      return unavailable(SENTENCES["28P01"] ?? AWAY)
    case "AuthorizationError":
      return unavailable(SENTENCES["42501"] ?? AWAY)
    default:
      return new StoreError({ reason: "other", ...OTHER, cause: logged(error) })
  }
}
