import type { BudgetScope } from "../../contract/schema/budget.ts"
import { isInteger, isText, orNull, readRows } from "../platform/sqlite/rowGuards.ts"
import type { SqlConnection, SqlValue } from "../platform/sqlite/Sqlite.ts"
import type { Spent } from "./amounts.ts"
import type { Work } from "./workScope.ts"

/**
 * Each response with what it cost, and each turn with how long it ran, for as long as a period can be; who spawned which
 * session. The schema number isn't raised, because the version that a rollback restores doesn't need the tables and would
 * refuse a file with a newer number.
 */
export const spendAdditions = `
  CREATE TABLE IF NOT EXISTS spend_responses (
    gateway_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    root_key TEXT NOT NULL,
    agent_id TEXT,
    task_id TEXT,
    job_id TEXT,
    at INTEGER NOT NULL,
    nano INTEGER,
    PRIMARY KEY (gateway_id, message_id, session_key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS spend_responses_at ON spend_responses (at);
  CREATE TABLE IF NOT EXISTS spend_turns (
    gateway_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    root_key TEXT NOT NULL,
    agent_id TEXT,
    task_id TEXT,
    job_id TEXT,
    at INTEGER NOT NULL,
    ms INTEGER,
    PRIMARY KEY (gateway_id, run_id, session_key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS spend_turns_at ON spend_turns (at);
  CREATE TABLE IF NOT EXISTS spend_parents (
    gateway_id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    parent_key TEXT NOT NULL,
    PRIMARY KEY (gateway_id, session_key)
  ) STRICT, WITHOUT ROWID;
`

/** A response of a model. */
export interface SpentResponse {
  readonly work: Work
  /** The gateway's id of the message. */
  readonly messageId: string
  /** Epoch milliseconds. */
  readonly at: number
  /** `undefined` if it has no price. */
  readonly nano: number | undefined
}

const ownersOf = ({ agentId, jobId, rootKey, sessionKey, taskId }: Work): ReadonlyArray<SqlValue> => [
  sessionKey,
  rootKey,
  agentId ?? null,
  taskId ?? null,
  jobId ?? null
]

/** Notes a response; false if it's known, also as a copy in another session. */
export const isNewResponse = (db: SqlConnection, { at, messageId, nano, work }: SpentResponse): boolean => {
  const known = db.rows(
    "SELECT 1 FROM spend_responses WHERE gateway_id = ? AND message_id = ? AND (session_key = ? OR at = ?)",
    work.gatewayId,
    messageId,
    work.sessionKey,
    at
  )
  if (known.length > 0) return false
  db.run(
    "INSERT INTO spend_responses VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    work.gatewayId,
    messageId,
    ...ownersOf(work),
    at,
    nano ?? null
  )
  return true
}

/** Notes a turn that runs. */
export const saveTurn = (db: SqlConnection, work: Work, runId: string, startedAt: number): void => {
  db.run(
    "INSERT OR IGNORE INTO spend_turns VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
    work.gatewayId,
    runId,
    ...ownersOf(work),
    startedAt
  )
}

/** Notes how long a turn ran. */
export const endTurn = (db: SqlConnection, { gatewayId, sessionKey }: Work, runId: string, ms: number): void => {
  db.run(
    "UPDATE spend_turns SET ms = ? WHERE gateway_id = ? AND run_id = ? AND session_key = ? AND ms IS NULL",
    ms,
    gatewayId,
    runId,
    sessionKey
  )
}

/** The turns that ran when the console ended. */
export const openTurns = (db: SqlConnection, gatewayId: string) =>
  readRows(
    [isText, isText, isInteger],
    db.rows("SELECT run_id, session_key, at FROM spend_turns WHERE ms IS NULL AND gateway_id = ?", gatewayId)
  ).map(([runId, sessionKey, startedAt]) => ({ runId, sessionKey, startedAt }))

const conditionOf = (scope: BudgetScope): { readonly sql: string; readonly values: ReadonlyArray<SqlValue> } => {
  switch (scope.kind) {
    case "all":
      return { sql: "1", values: [] }
    case "gateway":
      return { sql: "gateway_id = ?", values: [scope.gatewayId] }
    case "agent":
      return { sql: "gateway_id = ? AND agent_id = ?", values: [scope.gatewayId ?? null, scope.agentId] }
    case "task":
      return { sql: "task_id = ?", values: [scope.taskId] }
    case "job":
      return { sql: "gateway_id = ? AND job_id = ?", values: [scope.gatewayId ?? null, scope.jobId] }
    case "session":
      return {
        sql: "gateway_id = ? AND (root_key = ? OR session_key = ?)",
        values: [scope.gatewayId ?? null, scope.sessionKey, scope.sessionKey]
      }
  }
}

/** What was noted of a scope's spending from `start` until before `end`; running turns aren't in it. */
export const spentBetween = (db: SqlConnection, scope: BudgetScope, start: number, end: number): Spent => {
  const { sql, values } = conditionOf(scope)
  const [responses] = readRows(
    [orNull(isInteger), isInteger, isInteger],
    db.rows(
      `SELECT sum(nano), count(*), count(*) - count(nano) FROM spend_responses WHERE at >= ? AND at < ? AND ${sql}`,
      start,
      end,
      ...values
    )
  )
  const [turns] = readRows(
    [orNull(isInteger)],
    db.rows(
      `SELECT sum(min(at + ms, ?) - max(at, ?)) FROM spend_turns
      WHERE ms IS NOT NULL AND at < ? AND at + ms > ? AND ${sql}`,
      end,
      start,
      end,
      start,
      ...values
    )
  )
  const [nano, count = 0, unpriced = 0] = responses ?? []
  return { nano: nano ?? 0, ms: turns?.[0] ?? 0, turns: count, unpriced }
}

/** What was noted of a scope's spending between two times; read at once, for comparing it with the usage history. */
export const notedSpending = (db: SqlConnection, scope: BudgetScope) => {
  const { sql, values } = conditionOf(scope)
  const responses = readRows(
    [isInteger, orNull(isInteger)],
    db.rows(`SELECT at, nano FROM spend_responses WHERE ${sql} ORDER BY at`, ...values)
  )
  const turns = readRows(
    [isInteger, isInteger],
    db.rows(`SELECT at, ms FROM spend_turns WHERE ms IS NOT NULL AND ${sql}`, ...values)
  )
  return (start: number, end: number): Spent => {
    const found = responses.filter(([at]) => at >= start && at < end)
    return {
      nano: found.reduce((sum, [, nano]) => sum + (nano ?? 0), 0),
      ms: turns.reduce((sum, [at, ms]) => sum + Math.max(0, Math.min(at + ms, end) - Math.max(at, start)), 0),
      turns: found.length,
      unpriced: found.filter(([, nano]) => nano === null).length
    }
  }
}

/** Who spawned which session: gateway, session and parent. */
export const loadParents = (db: SqlConnection): ReadonlyArray<readonly [string, string, string]> =>
  readRows([isText, isText, isText], db.rows("SELECT gateway_id, session_key, parent_key FROM spend_parents"))

export const saveParent = (db: SqlConnection, gatewayId: string, sessionKey: string, parentKey: string): void => {
  db.run("INSERT OR REPLACE INTO spend_parents VALUES (?, ?, ?)", gatewayId, sessionKey, parentKey)
}

/** Forgets responses and turns from before that time. */
export const forgetSpendBefore = (db: SqlConnection, before: number): void => {
  db.run("DELETE FROM spend_responses WHERE at < ?", before)
  db.run("DELETE FROM spend_turns WHERE at < ? AND ms IS NOT NULL", before)
}

/** Forgets what is known of a gateway's sessions. */
export const forgetSpendOf = (db: SqlConnection, gatewayId: string): void => {
  for (const name of ["spend_responses", "spend_turns", "spend_parents"])
    db.run(`DELETE FROM ${name} WHERE gateway_id = ?`, gatewayId)
}
