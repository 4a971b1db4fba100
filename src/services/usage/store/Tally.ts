import type { UsageRow, UsageSums } from "../UsageRow.ts"

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
