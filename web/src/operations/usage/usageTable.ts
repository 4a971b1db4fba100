import { money } from "../../core/common/numberText.ts"
import { say, sayCount } from "../../core/language/say.ts"
import { allTokens, costText, count, sumUp, type UsageReport, type UsageSums } from "../../core/operations/usage.ts"

/** What a chart draws. */
export type Metric = "cost" | "tokens"

export const METRICS: ReadonlyArray<{ readonly value: Metric; readonly label: string }> = [
  { value: "cost", label: say("Cost") },
  { value: "tokens", label: say("Tokens") }
]

/** Column headings of a usage table after the first. */
export const USAGE_HEADS = [
  say("Cost"),
  say("Tokens"),
  say("In"),
  say("Out"),
  say("From cache"),
  say("Responses"),
  say("Failed")
]

/** The cells of a usage table after the first. */
export const usageCells = (sums: UsageSums): ReadonlyArray<string> => [
  costText(sums),
  count(allTokens(sums)),
  count(sums.input),
  count(sums.output),
  count(sums.cacheRead),
  count(sums.messages),
  count(sums.errors)
]

/** The value a chart draws for a group. */
export const metricOf = (group: UsageSums, metric: Metric): number =>
  metric === "cost" ? group.cost : allTokens(group)

/** The figure as text. */
export const metricText = (group: UsageSums, metric: Metric): string =>
  metric === "cost" ? costText(group) : count(allTokens(group))

/** A day, month or range with its time zone, which may not be the reader's. */
export const inUtc = (period: string): string => say("{period} (UTC)", { period })

/** A figure with its name. */
export interface Tile {
  readonly label: string
  readonly value: string
  /** A few words below. */
  readonly note?: string
}

/** The figures of a time range. */
export const spanTiles = ({ from, rows, to }: UsageReport): ReadonlyArray<Tile> => {
  const sums = sumUp(rows)
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1
  return [
    {
      label: say("Cost"),
      value: costText(sums),
      note: sums.unpriced
        ? say("Some models have no price.")
        : say("{cost} a day on average", { cost: money(sums.cost / days) })
    },
    {
      label: say("Tokens"),
      value: count(allTokens(sums)),
      note: say("{input} in · {output} out · {cached} from cache", {
        input: count(sums.input),
        output: count(sums.output),
        cached: count(sums.cacheRead)
      })
    },
    {
      label: say("Responses"),
      value: count(sums.messages),
      note: sayCount(sums.errors, "{count} failed", "{count} failed")
    }
  ]
}
