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
  /** Whether the transcript has the answers' cost; if not, it's computed from the model's rates (`modelRates.ts`). */
  readonly priced: boolean
}

/** The provider name of the gateway's own notes: they look like answers but use no model. */
export const GATEWAY_NOTES = "openclaw"

/** How many billionths a dollar has. */
export const NANO = 1_000_000_000

/** Dollars as whole billionths. */
export const toNano = (dollars: number): number => Math.round(dollars * NANO)
