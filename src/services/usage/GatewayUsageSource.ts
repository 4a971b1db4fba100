import { DateTime, Effect } from "effect"
import type { GatewayClientShape } from "../gateway/GatewayClient.ts"
import { GatewayDay, GatewayDays, gatewayUsageRows } from "./gatewayUsage.ts"
import { ModelCatalogue, ModelSettings } from "./modelRates.ts"
import type { AskUsage } from "./UsageThread.ts"

/** Since this generation of the protocol the gateway keeps its sessions where the console cannot read them (D60). */
const WITHOUT_TRANSCRIPTS = 4
/** Before any usage there can be. */
const BEGINNING = "2024-01-01"
/** Days asked for in one scan; older ones follow in the next. */
const MAX_DAYS = 31
const MAX_SESSIONS = 10_000
const CALL_LIMIT = { timeout: "5 seconds" } as const

/** Takes what only the gateway knows into the store: usage without transcripts, and what its models cost. */
export const makeGatewayUsageSource = (gateway: GatewayClientShape, ask: AskUsage) => {
  const days = Effect.gen(function* () {
    const endDate = DateTime.formatIsoDateUtc(yield* DateTime.now)
    const window = { startDate: BEGINNING, endDate, limit: 1 }
    const { aggregates } = yield* gateway.request("sessions.usage", window, GatewayDays, CALL_LIMIT)
    const stored = yield* ask("gatewayDays")
    const changed = aggregates.daily.filter(({ date, tokens }) => tokens > 0 && stored.get(date) !== tokens)
    for (const { date } of changed.toSorted((a, b) => (a.date < b.date ? 1 : -1)).slice(0, MAX_DAYS)) {
      const params = { startDate: date, endDate: date, limit: MAX_SESSIONS }
      const day = yield* gateway.request("sessions.usage", params, GatewayDay, CALL_LIMIT)
      yield* ask("saveGatewayDay", date, gatewayUsageRows(day))
    }
  })

  const rates = Effect.gen(function* () {
    if (!(yield* ask("needsRates"))) return
    const settings = gateway.request("config.get", {}, ModelSettings, CALL_LIMIT)
    const catalogue = gateway.request("models.list", {}, ModelCatalogue, CALL_LIMIT)
    for (const source of [catalogue, settings]) {
      const models = yield* Effect.orElseSucceed(source, () => [])
      yield* ask("saveRates", models)
    }
  })

  return Effect.gen(function* () {
    const connection = yield* gateway.connection
    if (connection === undefined) return
    if (connection.protocol >= WITHOUT_TRANSCRIPTS) {
      yield* days.pipe(
        Effect.catchTag("GatewayError", (error) =>
          Effect.logWarning(`the gateway's usage is missing: ${error.message}`)
        )
      )
    }
    yield* rates
  }).pipe(Effect.withSpan("GatewayUsageSource.refresh"))
}
