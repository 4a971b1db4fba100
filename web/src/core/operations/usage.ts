import type { UsageHistory, UsageHistoryRow, UsageSummary } from "../../../../src/contract/schema/usage.ts"
import { money, shortNumber } from "../common/numberText.ts"
import { pageLocale, say } from "../language/say.ts"

/** One group's numbers; cost in US dollars. */
export interface UsageSums {
  readonly cost: number
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly messages: number
  readonly errors: number
  /** Some of it has no price, so it cost more. */
  readonly unpriced?: true
}

/** The sums of one day, model and agent. */
export interface UsageRow extends UsageSums {
  /** UTC `YYYY-MM-DD`. */
  readonly day: string
  readonly model: string
  readonly agent: string
}

/** A named group, such as a day, with its sums. */
export interface UsageGroup extends UsageSums {
  readonly name: string
}

/** Usage between two days, inclusive. */
export interface UsageReport {
  readonly from: string
  readonly to: string
  readonly rows: ReadonlyArray<UsageRow>
}

/** Everything the console has ever counted. */
export interface UsageTotals {
  readonly cost: number
  readonly input: number
  readonly output: number
  readonly since: string | null
  /** Some of what's counted now has no price. */
  readonly unpriced?: true
}

const NOTHING: UsageSums = { cost: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, messages: 0, errors: 0 }

/** The numbers of one row. */
export const sumsOf = (row: UsageHistoryRow): UsageSums => ({
  cost: row.cost,
  input: row.inputTokens,
  output: row.outputTokens,
  cacheRead: row.cacheReadTokens,
  cacheWrite: row.cacheWriteTokens,
  messages: row.messageCount,
  errors: row.errorCount,
  ...(row.priced === false ? { unpriced: true } : {})
})

const add = (a: UsageSums, b: UsageSums): UsageSums => ({
  cost: a.cost + b.cost,
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  messages: a.messages + b.messages,
  errors: a.errors + b.errors,
  ...(a.unpriced || b.unpriced ? { unpriced: true } : {})
})

/** Reads `GET /api/tokens/history`, grouped by day and perhaps more. */
export const readUsage = ({ from, to, rows }: UsageHistory): UsageReport => ({
  from,
  to,
  rows: rows.map((row) => {
    const { agent = "unknown", day = from, model = "unknown", provider } = row
    return { ...sumsOf(row), day, model: provider === undefined ? model : `${provider}/${model}`, agent }
  })
})

/** Reads the all-time figures of `GET /api/tokens`. */
export const readTotals = ({ entries, persistent }: UsageSummary): UsageTotals => ({
  cost: persistent.totalCost,
  input: persistent.totalInput,
  output: persistent.totalOutput,
  since: persistent.lastUpdated || null,
  ...(entries.some(({ priced }) => priced === false) ? { unpriced: true } : {})
})

/** All rows together. */
export const sumUp = (rows: ReadonlyArray<UsageSums>): UsageSums => rows.reduce(add, NOTHING)

/** Tokens of every kind. */
export const allTokens = (sums: UsageSums): number => sums.input + sums.output + sums.cacheRead + sums.cacheWrite

const MS_PER_DAY = 86_400_000
const MAX_DAYS = 400

/** Every day of a report in order, including those without usage. */
export const byDay = ({ from, to, rows }: UsageReport): ReadonlyArray<UsageGroup> => {
  const sums = new Map<string, UsageSums>()
  for (const row of rows) sums.set(row.day, add(sums.get(row.day) ?? NOTHING, row))
  const start = Date.parse(from)
  const days = Math.floor((Date.parse(to) - start) / MS_PER_DAY) + 1
  return Array.from({ length: Math.max(0, Math.min(MAX_DAYS, Number.isFinite(days) ? days : 0)) }, (_, index) => {
    const name = new Date(start + index * MS_PER_DAY).toISOString().slice(0, 10)
    return { name, ...(sums.get(name) ?? NOTHING) }
  })
}

/** The sums per model or agent, most expensive first; without costs, by tokens. */
export const byName = (rows: ReadonlyArray<UsageRow>, key: "model" | "agent"): ReadonlyArray<UsageGroup> => {
  const sums = new Map<string, UsageSums>()
  for (const row of rows) sums.set(row[key], add(sums.get(row[key]) ?? NOTHING, row))
  return [...sums]
    .map(([name, group]) => ({ name, ...group }))
    .toSorted((a, b) => b.cost - a.cost || allTokens(b) - allTokens(a) || a.name.localeCompare(b.name))
}

/** What something cost: unknown isn't nothing. */
export const costText = ({ cost, unpriced }: Pick<UsageSums, "cost" | "unpriced">): string => {
  if (unpriced !== true) return money(cost)
  return cost === 0 ? say("no price") : say("at least {cost}", { cost: money(cost) })
}

/** A token count, shortened from ten thousand on, such as "1.2M". */
export const count = (tokens: number, locale: string = pageLocale): string =>
  tokens >= 10_000
    ? shortNumber(tokens, { maximumFractionDigits: 1 }, locale)
    : new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(tokens)

/** The first day of the last `days` days, today included, in UTC. */
export const firstDay = (days: number, now: number): string =>
  new Date(now - (days - 1) * MS_PER_DAY).toISOString().slice(0, 10)
