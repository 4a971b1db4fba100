import { component$ } from "@builder.io/qwik"
import type { Chart } from "../../../../src/contract/markers/chart.ts"
import { say } from "../../core/language/say.ts"
import { BarPlot } from "./BarPlot.tsx"
import { CandlePlot } from "./CandlePlot.tsx"
import { chartTable } from "./chartTable.ts"
import { LinePlot } from "./LinePlot.tsx"
import { MarketChart } from "./MarketChart.tsx"
import { PiePlot } from "./PiePlot.tsx"
import "./charts.css"
import "../fold.css"

const KIND_NAMES = {
  line: say("Line chart"),
  area: say("Area chart"),
  bar: say("Bar chart"),
  pie: say("Pie chart"),
  candle: say("Candlestick chart")
}

/** The drawing for a chart's kind. */
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

/** A chart in a response, with its numbers as a table for anyone who can't or doesn't want to read the drawing. */
export const ChartFigure = component$<{ readonly chart: Chart }>((props) => {
  const chart = props.chart
  if (chart.type === "tv") return <MarketChart chart={chart} />
  const table = chartTable(chart)
  const title = chart.title ?? KIND_NAMES[chart.type]
  const about =
    table.rows.length === 0
      ? title
      : say("{title}, {first} to {last}", { title, first: `${table.rows[0]?.[0]}`, last: `${table.rows.at(-1)?.[0]}` })
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div class="chart-plot">{plotOf(chart)}</div>
      <details class="chart-data fold">
        <summary>{say("Data")}</summary>
        <div class="table-scroll" tabIndex={0} role="group" aria-label={say("Numbers of {about}", { about })}>
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
                  <th scope="row">{row[0]}</th>
                  {row.slice(1).map((cell, column) => (
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
