/** Intervals of a market chart, as SPEC "Agent output markers" lists them. */
export const CHART_INTERVALS = ["1", "5", "15", "60", "D", "W", "M"] as const
export type ChartInterval = (typeof CHART_INTERVALS)[number]

export interface ChartSeries {
  readonly name: string
  readonly values: ReadonlyArray<number>
}

export interface Candle {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

interface Titled {
  readonly title?: string
}

/** A chart an agent asked for, checked and complete. */
export type Chart = Titled &
  (
    | { readonly type: "tv"; readonly symbol: string; readonly interval: ChartInterval }
    | {
        readonly type: "line" | "area"
        readonly labels: ReadonlyArray<string>
        readonly series: ReadonlyArray<ChartSeries>
      }
    | { readonly type: "candle"; readonly labels: ReadonlyArray<string>; readonly candles: ReadonlyArray<Candle> }
    | { readonly type: "bar" | "pie"; readonly labels: ReadonlyArray<string>; readonly values: ReadonlyArray<number> }
  )

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)

const isNumbers = (value: unknown): value is ReadonlyArray<number> => Array.isArray(value) && value.every(isNumber)

const isSeries = (value: unknown): value is ChartSeries =>
  isFields(value) && typeof value.name === "string" && isNumbers(value.values)

const isSeriesList = (value: unknown): value is ReadonlyArray<ChartSeries> =>
  Array.isArray(value) && value.length > 0 && value.every(isSeries)

const isCandle = (value: unknown): value is Candle =>
  isFields(value) && ["open", "high", "low", "close"].every((key) => isNumber(value[key]))

const isCandles = (value: unknown): value is ReadonlyArray<Candle> => Array.isArray(value) && value.every(isCandle)

const labelsOf = (value: unknown): ReadonlyArray<string> | undefined =>
  Array.isArray(value) && value.every((label) => typeof label === "string" || isNumber(label))
    ? value.map(String)
    : undefined

const intervalOf = (value: unknown): ChartInterval => CHART_INTERVALS.find((known) => known === value) ?? "W"

const bodyOf = (type: unknown, fields: Fields): Chart | undefined => {
  if (type === "tv") {
    const symbol = fields.symbol
    if (typeof symbol !== "string" || symbol.trim().length === 0) return undefined
    return { type, symbol, interval: intervalOf(fields.interval) }
  }
  const data = fields.data
  if (!isFields(data)) return undefined
  const labels = labelsOf(data.labels)
  if (labels === undefined) return undefined
  const { values, series, candles } = data
  switch (type) {
    case "line":
    case "area":
      if (isSeriesList(series)) return { type, labels, series }
      return isNumbers(values) ? { type, labels, series: [{ name: "", values }] } : undefined
    case "candle":
      return isCandles(candles) ? { type, labels, candles } : undefined
    case "bar":
    case "pie":
      return isNumbers(values) ? { type, labels, values } : undefined
    default:
      return undefined
  }
}

/** The chart in the payload of a marker; `undefined` when a required part is missing or has another type. */
export const chartOf = (fields: Fields): Chart | undefined => {
  const body = bodyOf(fields.type, fields)
  const title = fields.title
  return body === undefined || typeof title !== "string" ? body : { ...body, title }
}
