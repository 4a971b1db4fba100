import { allTokens, count, money, type UsageSums } from "../../core/operations/usage.ts"

/** What a chart draws. */
export type Metric = "cost" | "tokens"

/** Column headings of a usage table after the first. */
export const USAGE_HEADS = ["Cost", "Tokens", "In", "Out", "From cache", "Responses", "Failed"]

/** The cells of a usage table after the first. */
export const usageCells = (sums: UsageSums): ReadonlyArray<string> => [
  money(sums.cost),
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
  metric === "cost" ? money(group.cost) : count(allTokens(group))
