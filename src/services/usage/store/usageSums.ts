import type { UsageRow, UsageSums } from "../UsageRow.ts"

/** The columns that add up, in the order of `UsageSums`. */
export const SUM_COLUMNS = [
  "messages",
  "errors",
  "input",
  "output",
  "cache_read",
  "cache_write",
  "nano_dollars"
] as const

/** The values of the sum columns, in their order. */
export const sumValues = (row: UsageSums): ReadonlyArray<number> => [
  row.messages,
  row.errors,
  row.input,
  row.output,
  row.cacheRead,
  row.cacheWrite,
  row.nanoDollars
]

type Mutable<A> = { -readonly [K in keyof A]: A[K] }

const addSums = (sum: Mutable<UsageSums>, more: UsageSums): void => {
  sum.messages += more.messages
  sum.errors += more.errors
  sum.input += more.input
  sum.output += more.output
  sum.cacheRead += more.cacheRead
  sum.cacheWrite += more.cacheWrite
  sum.nanoDollars += more.nanoDollars
}

/** Adds up answers with the same day, model and pricing. */
export class Tally {
  readonly #rows = new Map<string, Mutable<UsageRow>>()

  add({ day, provider, model, priced, ...line }: UsageRow): void {
    const key = `${day}\n${provider}\n${model}\n${priced}`
    const row = this.#rows.get(key)
    if (row !== undefined) {
      addSums(row, line)
      return
    }
    const { messages, errors, input, output, cacheRead, cacheWrite, nanoDollars } = line
    const sums = { messages, errors, input, output, cacheRead, cacheWrite, nanoDollars }
    this.#rows.set(key, { day, provider, model, priced, ...sums })
  }

  get rows(): ReadonlyArray<UsageRow> {
    return [...this.#rows.values()]
  }
}
