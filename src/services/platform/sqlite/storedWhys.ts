import { Schema } from "effect"
import type { Failure, Why as WhyType } from "../../../contract/failure.ts"
import { Why } from "../../../contract/schema/failure.ts"
import type { SqlConnection } from "./Sqlite.ts"

/**
 * The codes of stored sentences, in a table of their own: an older version, after a rollback, doesn't know it and changes
 * sentences without it.
 */
export const whyAdditions = `
  CREATE TABLE IF NOT EXISTS failure_whys (sentence TEXT PRIMARY KEY, why TEXT NOT NULL) STRICT, WITHOUT ROWID;
`

const decodeWhy = Schema.decodeUnknownSync(Schema.fromJsonString(Why))

/** Stores the code of a sentence. */
export const storeWhy = (db: SqlConnection, { message, why }: Failure): void => {
  if (why !== undefined) db.run("INSERT OR REPLACE INTO failure_whys VALUES (?, ?)", message, JSON.stringify(why))
}

/** The code of a stored sentence; none for those of earlier versions. */
export const whyOf = (db: SqlConnection, sentence: string | undefined): { readonly why?: WhyType } => {
  const row =
    sentence === undefined ? undefined : db.rows("SELECT why FROM failure_whys WHERE sentence = ?", sentence)[0]
  return Array.isArray(row) ? { why: decodeWhy(row[0]) } : {}
}
