import { isFinite, isText, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import type { GatewayUsageRow, StoredDay } from "../gatewayUsage.ts"
import { GATEWAY_NOTES } from "../UsageRow.ts"
import { SUM_COLUMNS } from "./sumColumns.ts"
import { sumValues } from "./transcriptRows.ts"

const GREATER = SUM_COLUMNS.map((name) => `${name} = MAX(${name}, excluded.${name})`).join(", ")
const SAVE = `
  INSERT INTO gateway_usage (day, agent, session, provider, model, ${SUM_COLUMNS.join(", ")})
  VALUES (?, ?, ?, ?, ?, ${SUM_COLUMNS.map(() => "?").join(", ")})
  ON CONFLICT (day, agent, session, provider, model) DO UPDATE SET ${GREATER}`

/**
 * Stores one day. Figures only ever grow, because the gateway reports less while it's still counting. Its own notes,
 * which used to be stored as answers, are removed.
 */
export const saveGatewayDay = (db: SqlConnection, day: string, rows: ReadonlyArray<GatewayUsageRow>): void => {
  db.run("DELETE FROM gateway_usage WHERE day = ? AND provider = ?", day, GATEWAY_NOTES)
  for (const row of rows) db.run(SAVE, day, row.agent, row.session, row.provider, row.model, ...sumValues(row))
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
