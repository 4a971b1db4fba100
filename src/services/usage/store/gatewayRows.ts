import { isFinite, isText, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import type { GatewayUsageRow, ModelRates, SessionWork, StoredDay } from "../gatewayUsage.ts"
import { GATEWAY_NOTES, NANO, SUM_COLUMNS, sumValues } from "../UsageRow.ts"

const GREATER = SUM_COLUMNS.map((name) => `${name} = MAX(${name}, excluded.${name})`).join(", ")
const SAVE_DAY = `
  INSERT INTO gateway_usage (day, agent, session, provider, model, ${SUM_COLUMNS.join(", ")})
  VALUES (?, ?, ?, ?, ?, ${SUM_COLUMNS.map(() => "?").join(", ")})
  ON CONFLICT (day, agent, session, provider, model) DO UPDATE SET ${GREATER}`

/**
 * Stores one day. Figures only ever grow, because the gateway reports less while it's still counting. Its own notes,
 * which used to be stored as answers, are removed.
 */
export const saveGatewayDay = (db: SqlConnection, day: string, rows: ReadonlyArray<GatewayUsageRow>): void => {
  db.run("DELETE FROM gateway_usage WHERE day = ? AND provider = ?", day, GATEWAY_NOTES)
  for (const row of rows) db.run(SAVE_DAY, day, row.agent, row.session, row.provider, row.model, ...sumValues(row))
}

const STORED = `
  SELECT day, SUM(input + output + cache_read + cache_write), SUM(nano_dollars) FROM gateway_usage
  GROUP BY day HAVING MAX(provider = ?) = 0`

/** What's stored for each day; nothing for days with notes among the answers, so that they're requested again. */
export const storedGatewayDays = (db: SqlConnection): ReadonlyMap<string, StoredDay> =>
  new Map(
    readRows([isText, isFinite, isFinite], db.rows(STORED, GATEWAY_NOTES)).map(([day, tokens, nanoDollars]) => [
      day,
      { tokens, nanoDollars }
    ])
  )

/** Whether there are answers with unknown cost whose model has no rates yet. */
export const needsRates = (db: SqlConnection): boolean =>
  db.get(
    `SELECT 1 AS found FROM kept_usage u LEFT JOIN rates r ON r.provider = u.provider AND r.model = u.model
     WHERE u.priced = 0 AND r.model IS NULL LIMIT 1`
  ) !== undefined

const SAVE_RATES = `
  INSERT INTO rates (provider, model, input, output, cache_read, cache_write) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (provider, model) DO UPDATE SET input = excluded.input, output = excluded.output,
    cache_read = excluded.cache_read, cache_write = excluded.cache_write`

const nanoPerToken = (dollarsPerMillion: number): number => (Math.max(0, dollarsPerMillion) * NANO) / 1_000_000

/** Stores rates, so that costs are known while the gateway is away. */
export const saveRates = (db: SqlConnection, models: ReadonlyArray<ModelRates>): void => {
  for (const { provider, model, cost } of models) {
    const { input, output, cacheRead = 0, cacheWrite = 0 } = cost
    db.run(SAVE_RATES, provider, model, ...[input, output, cacheRead, cacheWrite].map(nanoPerToken))
  }
}

const SAVE_WORK =
  "INSERT INTO session_work (session, work) VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET work = excluded.work"

/** Notes what sessions were for. */
export const saveSessionWork = (db: SqlConnection, sessions: ReadonlyArray<SessionWork>): void => {
  for (const { session, work } of sessions) db.run(SAVE_WORK, session, work)
}
