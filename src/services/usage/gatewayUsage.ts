import { Schema } from "effect"
import type { SqlConnection } from "../sqlite/Sqlite.ts"
import { SUM_COLUMNS } from "./sumColumns.ts"
import { toNano } from "./UsageRow.ts"
import { sumValues } from "./usageStore.ts"

const Totals = Schema.Struct({
  input: Schema.Finite,
  output: Schema.Finite,
  cacheRead: Schema.Finite,
  cacheWrite: Schema.Finite,
  totalCost: Schema.Finite
})

const ModelUsage = Schema.Struct({
  provider: Schema.optionalKey(Schema.String),
  model: Schema.optionalKey(Schema.String),
  count: Schema.Finite,
  totals: Totals
})

/** The days with usage, out of the answer of `sessions.usage`. */
export const GatewayDays = Schema.Struct({
  aggregates: Schema.Struct({ daily: Schema.Array(Schema.Struct({ date: Schema.String, tokens: Schema.Finite })) })
})

/** The sessions of one day, out of the answer of `sessions.usage`. */
export const GatewayDay = Schema.Struct({
  sessions: Schema.Array(
    Schema.Struct({
      key: Schema.String,
      sessionId: Schema.optionalKey(Schema.String),
      agentId: Schema.optionalKey(Schema.String),
      usage: Schema.optionalKey(
        Schema.NullOr(
          Schema.Struct({
            modelUsage: Schema.optionalKey(Schema.Array(ModelUsage)),
            messageCounts: Schema.optionalKey(Schema.Struct({ errors: Schema.Finite }))
          })
        )
      )
    })
  )
})

const GREATER = SUM_COLUMNS.map((name) => `${name} = MAX(${name}, excluded.${name})`).join(", ")
const SAVE = `
  INSERT INTO gateway_usage (day, agent, session, provider, model, ${SUM_COLUMNS.join(", ")})
  VALUES (?, ?, ?, ?, ?, ${SUM_COLUMNS.map(() => "?").join(", ")})
  ON CONFLICT (day, agent, session, provider, model) DO UPDATE SET ${GREATER}`

/** Stores one day; a figure only ever grows: while the gateway still counts, it tells less than it knew. */
export const saveGatewayDay = (db: SqlConnection, day: string, { sessions }: typeof GatewayDay.Type): void => {
  for (const { key, sessionId = key, agentId = "main", usage } of sessions) {
    for (const [index, { provider = "unknown", model = "unknown", count, totals }] of (
      usage?.modelUsage ?? []
    ).entries()) {
      const row = {
        messages: Math.round(count),
        // The gateway counts errors by session only.
        errors: index === 0 ? Math.round(usage?.messageCounts?.errors ?? 0) : 0,
        input: Math.round(totals.input),
        output: Math.round(totals.output),
        cacheRead: Math.round(totals.cacheRead),
        cacheWrite: Math.round(totals.cacheWrite),
        nanoDollars: toNano(totals.totalCost)
      }
      db.run(SAVE, day, agentId, sessionId, provider, model, ...sumValues(row))
    }
  }
}

const decodeDays = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ day: Schema.String, tokens: Schema.Finite })))

/** The tokens stored for each day. */
export const storedGatewayDays = (db: SqlConnection): ReadonlyMap<string, number> =>
  new Map(
    decodeDays(
      db.all("SELECT day, SUM(input + output + cache_read + cache_write) AS tokens FROM gateway_usage GROUP BY day")
    ).map(({ day, tokens }) => [day, tokens])
  )
