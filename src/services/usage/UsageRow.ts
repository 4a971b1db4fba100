/** Token counts and costs of some answers. */
export interface UsageSums {
  /** Answers of a model, failed ones included. */
  readonly messages: number
  readonly errors: number
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** Billionths of a US dollar: whole numbers add up the same in any order. */
  readonly nanoDollars: number
}

/** The usage of one day, model and session. */
export interface UsageRow extends UsageSums {
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string
  readonly provider: string
  readonly model: string
  /** Whether the transcript has the answers' cost; if not, it's computed from the model's rates (`gatewayUsage.ts`). */
  readonly priced: boolean
}

/** The provider name of the gateway's own notes: they look like answers but use no model. */
export const GATEWAY_NOTES = "openclaw"

/** How many billionths a dollar has. */
export const NANO = 1_000_000_000

/** Dollars as whole billionths. */
export const toNano = (dollars: number): number => Math.round(dollars * NANO)

const SUM_FIELDS = ["messages", "errors", "input", "output", "cacheRead", "cacheWrite", "nanoDollars"] as const

/** The columns that add up. */
export const SUM_COLUMNS = SUM_FIELDS.map((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

/** The values of the sum columns, in their order. */
export const sumValues = (row: UsageSums): ReadonlyArray<number> => SUM_FIELDS.map((field) => row[field])

type Mutable<A> = { -readonly [K in keyof A]: A[K] }

/** Adds up answers with the same day, model and pricing. */
export class Tally {
  readonly #rows = new Map<string, Mutable<UsageRow>>()

  add(line: UsageRow): void {
    const key = `${line.day}\n${line.provider}\n${line.model}\n${line.priced}`
    const row = this.#rows.get(key)
    if (row === undefined) this.#rows.set(key, { ...line })
    else for (const field of SUM_FIELDS) row[field] += line[field]
  }

  get rows(): ReadonlyArray<UsageRow> {
    return [...this.#rows.values()]
  }
}
