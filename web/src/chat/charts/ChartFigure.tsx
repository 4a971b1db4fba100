import { component$ } from "@builder.io/qwik"
import type { Chart } from "../../../../src/services/markers/chart.ts"
import { BarPlot } from "./BarPlot.tsx"
import { CandlePlot } from "./CandlePlot.tsx"
import { chartTable } from "./chartTable.ts"
import { LinePlot } from "./LinePlot.tsx"
import { MarketChart } from "./MarketChart.tsx"
import { PiePlot } from "./PiePlot.tsx"
import "./charts.css"

const KIND_NAMES = {
  line: "Line chart",
  area: "Area chart",
  bar: "Bar chart",
  pie: "Pie chart",
  candle: "Candle chart"
}

/** The drawing that belongs to the kind of a chart. */
const plotOf = (chart: Exclude<Chart, { readonly type: "tv" }>) => {
  switch (chart.type) {
    case "pie": {
      const { labels, values } = chart
      return <PiePlot labels={labels} values={values} />
    }
    case "bar": {
      const { labels, values } = chart
      return <BarPlot labels={labels} values={values} />
    }
    case "line":
    case "area": {
      const { labels, series, type } = chart
      return <LinePlot labels={labels} series={series} filled={type === "area"} />
    }
    case "candle": {
      const { labels, candles } = chart
      return <CandlePlot labels={labels} candles={candles} />
    }
  }
}

/** A chart out of an answer, with its numbers as a table for whoever cannot or will not read the drawing. */
export const ChartFigure = component$<{ readonly chart: Chart }>((props) => {
  const chart = props.chart
  if (chart.type === "tv") return <MarketChart chart={chart} />
  const table = chartTable(chart)
  return (
    <figure class="chart">
      <figcaption>{chart.title ?? KIND_NAMES[chart.type]}</figcaption>
      <div class="chart-plot">{plotOf(chart)}</div>
      <details class="chart-data">
        <summary>Numbers</summary>
        <div class="table-scroll" tabIndex={0} role="region" aria-label="Numbers of the chart">
          <table>
            <thead>
              <tr>
                {table.head.map((cell, index) => (
                  <th key={index} scope="col">
                    {cell}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, column) => (
                    <td key={column}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
})
