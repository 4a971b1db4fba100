import { Schema } from "effect"
import { toNano, type UsageSums } from "./UsageRow.ts"

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

/** What the gateway counted for one session and model on one day. */
export interface GatewayUsageRow extends UsageSums {
  readonly agent: string
  readonly session: string
  readonly provider: string
  readonly model: string
}

/** The gateway's answer for one day, as rows. */
export const gatewayUsageRows = ({ sessions }: typeof GatewayDay.Type): ReadonlyArray<GatewayUsageRow> =>
  sessions.flatMap(({ key, sessionId = key, agentId = "main", usage }) =>
    (usage?.modelUsage ?? []).map(({ provider = "unknown", model = "unknown", count, totals }, index) => ({
      agent: agentId,
      session: sessionId,
      provider,
      model,
      messages: Math.round(count),
      // The gateway counts errors by session only.
      errors: index === 0 ? Math.round(usage?.messageCounts?.errors ?? 0) : 0,
      input: Math.round(totals.input),
      output: Math.round(totals.output),
      cacheRead: Math.round(totals.cacheRead),
      cacheWrite: Math.round(totals.cacheWrite),
      nanoDollars: toNano(totals.totalCost)
    }))
  )
