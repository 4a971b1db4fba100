import type { Chart } from "../../../../src/contract/markers/chart.ts"
import { say } from "../../core/language/say.ts"
import { formatValue } from "./chartGeometry.ts"

/** A chart's numbers as text cells. */
export interface ChartTable {
  readonly head: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const cell = (value: number | undefined): string => (value === undefined ? "" : formatValue(value))

/** Everything a chart shows, in rows. */
export const chartTable = (chart: Exclude<Chart, { readonly type: "tv" }>): ChartTable => {
  switch (chart.type) {
    case "line":
    case "area":
      return {
        head: [say("Label"), ...chart.series.map((series) => series.name || say("Value"))],
        rows: chart.labels.map((label, index) => [label, ...chart.series.map((series) => cell(series.values[index]))])
      }
    case "bar":
    case "pie":
      return {
        head: [say("Label"), say("Value")],
        rows: chart.labels.map((label, index) => [label, cell(chart.values[index])])
      }
    case "candle":
      return {
        head: [say("Label"), say("Opening price"), say("Highest price"), say("Lowest price"), say("Closing price")],
        rows: chart.labels.map((label, index) => {
          const candle = chart.candles[index]
          return [label, cell(candle?.open), cell(candle?.high), cell(candle?.low), cell(candle?.close)]
        })
      }
  }
}
