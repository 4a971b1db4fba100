import { isFinite, isInteger, isText, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import { checkpointOf } from "../../transcripts/transcriptFiles.ts"
import { SUM_COLUMNS } from "../UsageRow.ts"
import { countedTotals, type KeptTotals } from "./totalRows.ts"

/** Some transcript was read by a version that didn't note which answers it counted, or a copy counted as a session. */
const IS_NEEDED = `
  SELECT EXISTS (
    SELECT 1 FROM transcripts t LEFT JOIN readings r ON r.transcript = t.id WHERE r.offset IS NOT t.offset
  ) OR EXISTS (SELECT 1 FROM kept_usage WHERE session LIKE '%.checkpoint.%')`

const MERGE_KEPT = `
  INSERT INTO kept_usage
  SELECT day, agent, ?, provider, model, priced, ${SUM_COLUMNS.join(", ")} FROM kept_usage
  WHERE agent = ? AND session = ?
  ON CONFLICT (day, agent, session, provider, model, priced) DO UPDATE SET
    ${SUM_COLUMNS.map((name) => `${name} = MAX(${name}, excluded.${name})`).join(", ")}`

const MERGE_NEWEST = `
  INSERT INTO sessions SELECT agent, ?, newest FROM sessions WHERE agent = ? AND session = ?
  ON CONFLICT (agent, session) DO UPDATE SET newest = MAX(newest, excluded.newest)`

/** Copies of a session's transcript were counted as sessions: what they had is in the session's own figures. */
const mergeCheckpoints = (db: SqlConnection): void => {
  const rows = db.rows("SELECT agent, session FROM sessions UNION SELECT agent, session FROM kept_usage")
  for (const [agent, session] of readRows([isText, isText], rows)) {
    const origin = checkpointOf(session)
    if (origin === undefined) continue
    for (const merge of [MERGE_KEPT, MERGE_NEWEST]) db.run(merge, origin, agent, session)
    for (const table of ["kept_usage", "sessions"]) {
      db.run(`DELETE FROM ${table} WHERE agent = ? AND session = ?`, agent, session)
    }
  }
}

/**
 * Prepares to count anew what a version counted that counted copies: every transcript is read again, and each of its
 * answers takes out what that version counted for it. What no file has any more stays.
 */
export const beginRecount = (db: SqlConnection): void => {
  if (readRows([isInteger], db.rows(IS_NEEDED))[0]?.[0] !== 1) return
  const { input, output, nano } = countedTotals(db)
  db.run("INSERT OR IGNORE INTO recount VALUES (1, ?, ?, ?)", input, output, nano)
  mergeCheckpoints(db)
  db.run(`INSERT INTO former_sessions SELECT agent, session, newest FROM sessions WHERE true
    ON CONFLICT (agent, session) DO UPDATE SET newest = MAX(newest, excluded.newest)`)
  db.run("DELETE FROM transcripts")
  db.run("UPDATE answers SET transcript = 0")
}

/** When the newest line was written that such a version counted for a session (ISO 8601), else empty. */
export const formerNewest = (db: SqlConnection, agent: string, session: string): string => {
  const rows = db.rows("SELECT newest FROM former_sessions WHERE agent = ? AND session = ?", agent, session)
  return readRows([isText], rows)[0]?.[0] ?? ""
}

/** By how much an earlier version counted too much; nothing once that's settled. */
export const readExcess = (db: SqlConnection): KeptTotals => {
  const [before] = readRows([isFinite, isFinite, isFinite], db.rows("SELECT input, output, nano_dollars FROM recount"))
  if (before === undefined) return { input: 0, output: 0, nano: 0 }
  const now = countedTotals(db)
  return {
    input: Math.max(0, before[0] - now.input),
    output: Math.max(0, before[1] - now.output),
    nano: Math.max(0, before[2] - now.nano)
  }
}

/** The recount is done, and what's kept outside of the database has its result. */
export const endRecount = (db: SqlConnection): void => {
  db.run("DELETE FROM recount")
}
