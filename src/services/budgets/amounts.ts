import { MAX_MINUTES, MAX_TURNS, MAX_USD } from "../../contract/budget.ts"
import type { Budget, BudgetLimit } from "../../contract/schema/budget.ts"
import { NANO, toNano } from "../usage/UsageRow.ts"

const MINUTE_MS = 60_000

/** What budgets limit, as whole numbers that add up exactly: billionths of a dollar, milliseconds and responses. */
export const UNITS = ["nano", "ms", "turns"] as const
export type Unit = (typeof UNITS)[number]
export type Amounts = Readonly<Record<Unit, number>>

export const NOTHING: Amounts = { nano: 0, ms: 0, turns: 0 }

/** What was spent; `unpriced` responses have no price and add nothing to `nano`. */
export interface Spent extends Amounts {
  readonly unpriced: number
}

export const UNSPENT: Spent = { ...NOTHING, unpriced: 0 }

export const added = (one: Spent, other: Partial<Spent>): Spent => ({
  nano: one.nano + (other.nano ?? 0),
  ms: one.ms + (other.ms ?? 0),
  turns: one.turns + (other.turns ?? 0),
  unpriced: one.unpriced + (other.unpriced ?? 0)
})

/** The part of a limit that is about each unit, at least the smallest amount; absent for a unit without a limit. */
export const limitsOf = ({ minutes, turns, usd }: BudgetLimit): Readonly<Partial<Record<Unit, number>>> => ({
  ...(usd === undefined ? {} : { nano: Math.max(1, toNano(usd)) }),
  ...(minutes === undefined ? {} : { ms: Math.max(1, Math.round(minutes * MINUTE_MS)) }),
  ...(turns === undefined ? {} : { turns })
})

/** A limit with what was granted beyond it, and what was spent of it. */
export interface Account {
  readonly limit: BudgetLimit
  readonly extra: Amounts
  readonly spent: Amounts
}

/** Each limited unit with what may be spent of it in this period. */
const allowances = ({ extra, limit }: Pick<Account, "limit" | "extra">) => {
  const limits = limitsOf(limit)
  return UNITS.flatMap((unit) => {
    const own = limits[unit]
    return own === undefined ? [] : [{ unit, limit: own, allowed: own + extra[unit] }]
  })
}

/** The units of which everything was spent. */
export const usedUp = (account: Account): ReadonlyArray<Unit> =>
  allowances(account).flatMap(({ allowed, unit }) => (account.spent[unit] >= allowed ? [unit] : []))

/** Whether this part of some unit was spent. */
export const hasReached = (account: Account, part: number): boolean =>
  allowances(account).some(({ allowed, unit }) => account.spent[unit] >= part * allowed)

/** How much of a unit may still be spent; `undefined` for a unit without a limit. */
export const leftOf = (account: Account, unit: Unit): number | undefined => {
  const found = allowances(account).find((one) => one.unit === unit)
  return found && Math.max(0, found.allowed - account.spent[unit])
}

/** What is granted so that the budget isn't used up: each unit's limit as often as it takes. */
export const grantedAgain = (account: Account): Amounts => {
  const extra = { ...account.extra }
  for (const { allowed, limit, unit } of allowances(account)) {
    const over = account.spent[unit] - allowed
    if (over >= 0) extra[unit] += (Math.floor(over / limit) + 1) * limit
  }
  return extra
}

const BOUNDS = { usd: MAX_USD, minutes: MAX_MINUTES, turns: MAX_TURNS } as const
const DECIMAL = /^\d+(?:\.\d+)?$/

/**
 * The limit with another number for its first unit, as a person writes it; `undefined` unless that is within the bounds
 * and, with what was granted beyond it, above what was spent.
 */
export const raisedLimit = (account: Account, text: string): BudgetLimit | undefined => {
  const { limit } = account
  const field = limit.usd !== undefined ? "usd" : limit.minutes !== undefined ? "minutes" : "turns"
  const value = DECIMAL.test(text.trim()) ? Number(text) : Number.NaN
  if (!(value > 0 && value <= BOUNDS[field]) || (field === "turns" && !Number.isSafeInteger(value))) return undefined
  const raised = { ...limit, [field]: value }
  const unit = field === "usd" ? "nano" : field === "minutes" ? "ms" : "turns"
  return usedUp({ ...account, limit: raised }).includes(unit) ? undefined : raised
}

/** Amounts as answers have them. */
export const spentShown = ({ ms, nano, turns, unpriced }: Spent): Budget["spent"] => ({
  usd: nano / NANO,
  minutes: ms / MINUTE_MS,
  turns,
  unpriced
})

export const extraShown = ({ ms, nano, turns }: Amounts): Budget["extra"] => ({
  ...(nano === 0 ? {} : { usd: nano / NANO }),
  ...(ms === 0 ? {} : { minutes: ms / MINUTE_MS }),
  ...(turns === 0 ? {} : { turns })
})

const CENT = NANO / 100
const MONEY = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" })

/** As the page writes it: less than a cent isn't rounded to nothing. */
const dollars = (nano: number): string =>
  nano > 0 && nano < CENT ? `<${MONEY.format(CENT / NANO)}` : MONEY.format(nano / NANO)

const WORDS: Readonly<Record<Unit, (amount: number) => string>> = {
  nano: dollars,
  ms: (ms) => `${Math.round((ms / MINUTE_MS) * 10) / 10}`,
  turns: String
}
const NAMES: Readonly<Record<Unit, string>> = { nano: "", ms: " minutes", turns: " turns" }

/** What was spent of the unit of which the largest part was spent, in a few English words. */
export const spentWords = (account: Account): string => {
  const parts = allowances(account).map((one) => ({ ...one, part: account.spent[one.unit] / one.allowed }))
  const [first] = parts.toSorted((a, b) => b.part - a.part)
  if (first === undefined) return "Spent"
  const { allowed, unit } = first
  return `Spent ${WORDS[unit](account.spent[unit])} of ${WORDS[unit](allowed)}${NAMES[unit]}`
}
