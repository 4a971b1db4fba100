import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import type { ModelRates } from "../modelRates.ts"
import { NANO } from "../UsageRow.ts"

/** Whether there are answers with unknown cost whose model has no rates yet. */
export const needsRates = (db: SqlConnection): boolean =>
  db.get(
    `SELECT 1 AS found FROM kept_usage u LEFT JOIN rates r ON r.provider = u.provider AND r.model = u.model
     WHERE u.priced = 0 AND r.model IS NULL LIMIT 1`
  ) !== undefined

const SAVE = `
  INSERT INTO rates (provider, model, input, output, cache_read, cache_write) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (provider, model) DO UPDATE SET input = excluded.input, output = excluded.output,
    cache_read = excluded.cache_read, cache_write = excluded.cache_write`

const nanoPerToken = (dollarsPerMillion: number): number => (Math.max(0, dollarsPerMillion) * NANO) / 1_000_000

/** Stores rates, so that costs are known while the gateway is away. */
export const saveRates = (db: SqlConnection, models: ReadonlyArray<ModelRates>): void => {
  for (const { provider, model, cost } of models) {
    const { input, output, cacheRead = 0, cacheWrite = 0 } = cost
    db.run(SAVE, provider, model, ...[input, output, cacheRead, cacheWrite].map(nanoPerToken))
  }
}
