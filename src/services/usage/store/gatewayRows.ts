import { isFinite, isText, readRows } from "../../sqlite/rowGuards.ts"
import type { SqlConnection } from "../../sqlite/Sqlite.ts"
import type { GatewayUsageRow } from "../gatewayUsage.ts"
import { SUM_COLUMNS } from "./sumColumns.ts"
import { sumValues } from "./transcriptRows.ts"

const GREATER = SUM_COLUMNS.map((name) => `${name} = MAX(${name}, excluded.${name})`).join(", ")
const SAVE = `
  INSERT INTO gateway_usage (day, agent, session, provider, model, ${SUM_COLUMNS.join(", ")})
  VALUES (?, ?, ?, ?, ?, ${SUM_COLUMNS.map(() => "?").join(", ")})
  ON CONFLICT (day, agent, session, provider, model) DO UPDATE SET ${GREATER}`

/** Stores one day; a figure only ever grows: while the gateway still counts, it tells less than it knew. */
export const saveGatewayDay = (db: SqlConnection, day: string, rows: ReadonlyArray<GatewayUsageRow>): void => {
  for (const row of rows) db.run(SAVE, day, row.agent, row.session, row.provider, row.model, ...sumValues(row))
}

/** The tokens stored for each day. */
export const storedGatewayDays = (db: SqlConnection): ReadonlyMap<string, number> =>
  new Map(
    readRows(
      [isText, isFinite],
      db.rows("SELECT day, SUM(input + output + cache_read + cache_write) FROM gateway_usage GROUP BY day")
    )
  )
