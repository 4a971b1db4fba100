import { Schema, SchemaGetter } from "effect"
import { taskOfSession } from "../board/runs/runPrompt.ts"
import { GATEWAY_NOTES, toNano, type UsageSums } from "./UsageRow.ts"

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

const Day = Schema.Struct({
  date: Schema.String,
  tokens: Schema.Finite,
  cost: Schema.optionalKey(Schema.Finite),
  messages: Schema.optionalKey(Schema.Finite),
  errors: Schema.optionalKey(Schema.Finite)
})

const aggregates = Schema.Struct({ daily: Schema.Array(Day) })

/** The days with usage, from a `sessions.usage` response. */
export const GatewayDays = Schema.Struct({
  /** When the gateway counted, in epoch milliseconds by its own clock: it also returns cached counts. */
  updatedAt: Schema.optionalKey(Schema.Finite),
  aggregates,
  cacheStatus: Schema.optionalKey(Schema.Struct({ status: Schema.String }))
})
export type GatewayDays = typeof GatewayDays.Type

/** One day's sessions, from a `sessions.usage` response. */
export const GatewayDay = Schema.Struct({
  aggregates,
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
export type GatewayDay = typeof GatewayDay.Type

/** The gateway's sessions, from a `sessions.list` response. */
export const GatewaySessions = Schema.Struct({
  sessions: Schema.Array(Schema.Struct({ key: Schema.String, sessionId: Schema.optionalKey(Schema.String) }))
})

/** The gateway's agents, from an `agents.list` response. */
export const GatewayAgents = Schema.Struct({ agents: Schema.Array(Schema.Struct({ id: Schema.String })) })

/** The sums of one day over all sessions. */
export interface StoredDay {
  readonly tokens: number
  readonly nanoDollars: number
}

/** What the gateway counted on one day over all sessions; different `figures` mean that it has counted again. */
export interface DayTotal extends StoredDay {
  readonly figures: string
}

/** Costs are rounded row by row in the store. */
const ROUNDING = 1000

/** Whether the gateway's figures for a day differ from what's stored. */
export const isOtherDay = (stored: StoredDay | undefined, { tokens, nanoDollars }: DayTotal): boolean =>
  stored === undefined || stored.tokens !== tokens || Math.abs(stored.nanoDollars - nanoDollars) > ROUNDING

/** The totals of each day, across several responses for different agents. */
export const dayTotals = (answers: ReadonlyArray<Pick<GatewayDays, "aggregates">>): ReadonlyMap<string, DayTotal> => {
  const days = Map.groupBy(
    answers.flatMap((answer) => answer.aggregates.daily),
    ({ date }) => date
  )
  return new Map(
    [...days].map(([date, of]) => {
      const sum = (pick: (day: typeof Day.Type) => number | undefined) =>
        of.reduce((total, day) => total + (pick(day) ?? 0), 0)
      const tokens = sum((day) => day.tokens)
      const nanoDollars = toNano(sum((day) => day.cost))
      const figures = [tokens, nanoDollars, sum((day) => day.messages), sum((day) => day.errors)].join(" ")
      return [date, { tokens, nanoDollars, figures }]
    })
  )
}

/** What the gateway counted for one session and model on one day. */
export interface GatewayUsageRow extends UsageSums {
  readonly agent: string
  readonly session: string
  readonly provider: string
  readonly model: string
}

const MAIN_AGENT = "main"

const agentOf = (key: string): string => /^agent:([^:]+):/.exec(key)?.[1] ?? MAIN_AGENT

/** The gateway's response for one day, as rows. */
export const gatewayUsageRows = ({ sessions }: Pick<GatewayDay, "sessions">): ReadonlyArray<GatewayUsageRow> =>
  sessions.flatMap(({ key, sessionId = key, agentId = agentOf(key), usage }) =>
    (usage?.modelUsage ?? [])
      .filter(({ provider }) => provider !== GATEWAY_NOTES)
      .map(({ provider = "unknown", model = "unknown", count, totals }, index) => ({
        agent: agentId,
        session: sessionId,
        provider,
        model,
        messages: Math.round(count),
        // The gateway only counts errors per session.
        errors: index === 0 ? Math.round(usage?.messageCounts?.errors ?? 0) : 0,
        input: Math.round(totals.input),
        output: Math.round(totals.output),
        cacheRead: Math.round(totals.cacheRead),
        cacheWrite: Math.round(totals.cacheWrite),
        nanoDollars: toNano(totals.totalCost)
      }))
  )

/** US dollars per million tokens, from the gateway's settings. */
const Cost = Schema.Struct({
  input: Schema.Finite,
  output: Schema.Finite,
  cacheRead: Schema.optionalKey(Schema.Finite),
  cacheWrite: Schema.optionalKey(Schema.Finite)
})

const Model = Schema.Struct({ id: Schema.String, cost: Schema.optionalKey(Cost) })

/** One model's prices. */
export interface ModelRates {
  readonly provider: string
  readonly model: string
  readonly cost: typeof Cost.Type
}

const Rates = Schema.Array(Schema.Struct({ provider: Schema.String, model: Schema.String, cost: Cost }))
const onlyRead = SchemaGetter.forbidden<never, unknown>(() => "rates are only read")

/** The prices in a `config.get` response. */
export const ModelSettings = Schema.Struct({
  config: Schema.Struct({
    models: Schema.optionalKey(
      Schema.Struct({
        providers: Schema.optionalKey(
          Schema.Record(Schema.String, Schema.Struct({ models: Schema.optionalKey(Schema.Array(Model)) }))
        )
      })
    )
  })
}).pipe(
  Schema.decodeTo(Rates, {
    decode: SchemaGetter.transform(({ config }) =>
      Object.entries(config.models?.providers ?? {}).flatMap(([provider, { models = [] }]) =>
        models.flatMap(({ id, cost }) => (cost === undefined ? [] : [{ provider, model: id, cost }]))
      )
    ),
    encode: onlyRead
  })
)

/** The prices in a `models.list` response, if any. */
export const ModelCatalogue = Schema.Struct({
  models: Schema.Array(Schema.Struct({ ...Model.fields, provider: Schema.String }))
}).pipe(
  Schema.decodeTo(Rates, {
    decode: SchemaGetter.transform(({ models }) =>
      models.flatMap(({ id, provider, cost }) => (cost === undefined ? [] : [{ provider, model: id, cost }]))
    ),
    encode: onlyRead
  })
)

/** What a session was for: `task:<id>`, `cron:<id>`, or nothing for a conversation. */
export const workOf = (sessionKey: string): string | undefined => {
  const task = taskOfSession(sessionKey)
  const cron = /^agent:[^:]+:cron:([^:]+)(?::.*)?$/.exec(sessionKey)?.[1]
  if (task !== undefined) return `task:${task}`
  return cron === undefined ? undefined : `cron:${cron}`
}

/** A session's id, as its usage is stored under, and what it was for. */
export interface SessionWork {
  readonly session: string
  readonly work: string
}

/** Those of the gateway's sessions that weren't conversations. */
export const sessionWork = (
  sessions: ReadonlyArray<{ readonly key: string; readonly sessionId?: string | undefined }>
): ReadonlyArray<SessionWork> =>
  sessions.flatMap(({ key, sessionId = key }) => {
    const work = workOf(key)
    return work === undefined ? [] : [{ session: sessionId, work }]
  })
