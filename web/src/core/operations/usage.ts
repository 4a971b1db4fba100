import type {
  UsageEntry,
  UsageHistory,
  UsageHistoryRow,
  UsageSummary
} from "../../../../src/contract/answers/UsageAnswers.ts"
import { type Fields, fieldsOf, filledText, numberOf, recordOf, recordsOf } from "../common/decode.ts"
import { shortNumber } from "../common/numberText.ts"
import { say } from "../language/say.ts"

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
export const sumsOf = (row: Fields<UsageHistoryRow>): UsageSums => ({
  cost: numberOf(row.cost) ?? 0,
  input: numberOf(row.inputTokens) ?? 0,
  output: numberOf(row.outputTokens) ?? 0,
  cacheRead: numberOf(row.cacheReadTokens) ?? 0,
  cacheWrite: numberOf(row.cacheWriteTokens) ?? 0,
  messages: numberOf(row.messageCount) ?? 0,
  errors: numberOf(row.errorCount) ?? 0,
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

const DAY = /^\d{4}-\d\d-\d\d$/

/** Reads `GET /api/tokens/history`. */
export const readUsage = (body: unknown): UsageReport | null => {
  const report = recordOf<UsageHistory>(body)
  const from = filledText(report?.from)
  const to = filledText(report?.to)
  if (report === null || from === null || to === null) return null
  const rows = recordsOf<UsageHistoryRow>(report.rows).flatMap((row) => {
    const day = filledText(row.day)
    if (day === null || !DAY.test(day)) return []
    const model = filledText(row.model) ?? "unknown"
    const provider = filledText(row.provider)
    return [
      {
        ...sumsOf(row),
        day,
        model: provider === null ? model : `${provider}/${model}`,
        agent: filledText(row.agent) ?? "unknown"
      }
    ]
  })
  return { from, to, rows }
}

/** Reads the all-time figures of `GET /api/tokens`. */
export const readTotals = (body: unknown): UsageTotals | null => {
  const summary = fieldsOf<UsageSummary>(body)
  const persistent = recordOf<UsageSummary["persistent"]>(summary.persistent)
  return persistent === null
    ? null
    : {
        cost: numberOf(persistent.totalCost) ?? 0,
        input: numberOf(persistent.totalInput) ?? 0,
        output: numberOf(persistent.totalOutput) ?? 0,
        since: filledText(persistent.lastUpdated),
        ...(recordsOf<UsageEntry>(summary.entries).some(({ priced }) => priced === false) ? { unpriced: true } : {})
      }
}

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

/** Dollars in readable form: with cents if there are any, and never rounding small sums to nothing. */
export const money = (dollars: number, locale?: string): string => {
  const digits = dollars !== 0 && Math.abs(dollars) < 0.01 ? 4 : 2
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: 2,
    maximumFractionDigits: digits
  }).format(dollars)
}

/** What something cost: unknown isn't nothing. */
export const costText = ({ cost, unpriced }: Pick<UsageSums, "cost" | "unpriced">): string => {
  if (unpriced !== true) return money(cost)
  return cost === 0 ? say("no price") : say("at least {cost}", { cost: money(cost) })
}

/** A token count, shortened from ten thousand on, such as "1.2M". */
export const count = (tokens: number, locale?: string): string =>
  tokens >= 10_000
    ? shortNumber(tokens, { maximumFractionDigits: 1 }, locale)
    : new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(tokens)

/** The first day of the last `days` days, today included, in UTC. */
export const firstDay = (days: number, now: number): string =>
  new Date(now - (days - 1) * MS_PER_DAY).toISOString().slice(0, 10)
