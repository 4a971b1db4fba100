import { type Fields, objectOf } from "./markerJson.ts"

const INTERVALS = ["1", "5", "15", "60", "D", "W", "M"] as const
export type ChartInterval = (typeof INTERVALS)[number]

/** A chart an agent asked for, checked and complete. */
export type Chart =
  | { readonly type: "tv"; readonly title: string | null; readonly symbol: string; readonly interval: ChartInterval }
  | {
      readonly type: "line" | "area"
      readonly title: string | null
      readonly labels: ReadonlyArray<string>
      readonly series: ReadonlyArray<{ readonly name: string; readonly values: ReadonlyArray<number> }>
    }
  | {
      readonly type: "bar" | "pie"
      readonly title: string | null
      readonly labels: ReadonlyArray<string>
      readonly values: ReadonlyArray<number>
    }
  | {
      readonly type: "candle"
      readonly title: string | null
      readonly labels: ReadonlyArray<string>
      readonly candles: ReadonlyArray<{
        readonly open: number
        readonly high: number
        readonly low: number
        readonly close: number
      }>
    }

const filledText = (value: unknown): string | null => (typeof value === "string" && value.trim() !== "" ? value : null)

const numberOf = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null)

/** Null unless every entry decodes. */
function all<A>(values: unknown, decode: (value: unknown) => A | null): ReadonlyArray<A> | null {
  if (!Array.isArray(values)) return null
  const decoded = values.flatMap((value) => decode(value) ?? [])
  return decoded.length === values.length && decoded.length > 0 ? decoded : null
}

const labelOf = (value: unknown): string | null =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : null

function series(data: Fields): ReadonlyArray<{ name: string; values: ReadonlyArray<number> }> | null {
  const values = all(data.values, numberOf)
  if (values !== null) return [{ name: "", values }]
  return all(data.series, (entry) => {
    const fields = objectOf(entry)
    const points = all(fields?.values, numberOf)
    return points === null ? null : { name: filledText(fields?.name) ?? "", values: points }
  })
}

/** Reads a chart marker's object; null when its type is unknown or the data that type needs is missing. */
export function decodeChart(value: unknown): Chart | null {
  const fields = objectOf(value)
  if (fields === undefined) return null
  const title = filledText(fields.title)
  if (fields.type === "tv") {
    const symbol = filledText(fields.symbol)
    const interval = INTERVALS.find((known) => known === String(fields.interval)) ?? "W"
    return symbol === null ? null : { type: "tv", title, symbol, interval }
  }
  const data = objectOf(fields.data)
  const labels = all(data?.labels, labelOf)
  if (data === undefined || labels === null) return null
  if (fields.type === "line" || fields.type === "area") {
    const lines = series(data)
    return lines === null ? null : { type: fields.type, title, labels, series: lines }
  }
  if (fields.type === "bar" || fields.type === "pie") {
    const values = all(data.values, numberOf)
    return values === null ? null : { type: fields.type, title, labels, values }
  }
  if (fields.type !== "candle") return null
  const candles = all(data.candles, (entry) => {
    const candle = objectOf(entry)
    const [open, high] = [numberOf(candle?.open), numberOf(candle?.high)]
    const [low, close] = [numberOf(candle?.low), numberOf(candle?.close)]
    return open === null || high === null || low === null || close === null ? null : { open, high, low, close }
  })
  return candles === null ? null : { type: "candle", title, labels, candles }
}
