import { component$, useSignal } from "@builder.io/qwik"
import type { Chart } from "../../../../src/contract/markers/chart.ts"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import { say } from "../../core/language/say.ts"
import { Icon } from "../Icon.tsx"
import { barWidth, formatValue, PLOT, pieSlices, valueAxis, xOf, yOf } from "./chartGeometry.ts"
import { marketChartUrl, marketPageUrl } from "./marketUrls.ts"
import { Axes, BarPlot, Legend, LinePlot } from "./plots.tsx"
import "../fold.css"
import "./charts.css"

/** Milliseconds after which a chart that hasn't loaded counts as blocked. */
const PATIENCE_MS = 12_000

type Market = Extract<Chart, { readonly type: "tv" }>

/** A chart from another site: nothing is loaded from it until a person asks. */
const MarketChart = component$<{ readonly chart: Market }>((props) => {
  const { symbol, interval, title } = props.chart
  const state = useSignal<"asked" | "closed" | "here" | "blocked">("closed")
  const frame = useSignal<HTMLIFrameElement>()
  const url = marketChartUrl(symbol, interval)

  useBrowserTask$(({ track, cleanup }) => {
    const element = track(frame)
    if (element === undefined) return
    const settle = (next: "here" | "blocked") => {
      if (state.value === "asked") state.value = next
    }
    const onLoad = () => settle("here")
    element.addEventListener("load", onLoad)
    const timer = setTimeout(() => settle("blocked"), PATIENCE_MS)
    cleanup(() => {
      element.removeEventListener("load", onLoad)
      clearTimeout(timer)
    })
  })

  return (
    <figure class="chart market">
      <figcaption class="row wrap gap-2">
        <Icon name="chart" />
        <span>{title ?? symbol}</span>
        <span class="chip-label">{`${symbol} · ${interval}`}</span>
      </figcaption>
      {state.value === "closed" && (
        <div class="stack justify-start gap-2 soft small">
          <p>{say("This chart comes from tradingview.com, which will see that you viewed it.")}</p>
          <button
            type="button"
            class="button is-small"
            onClick$={() => {
              state.value = "asked"
            }}
          >
            {say("Load market chart")}
          </button>
        </div>
      )}
      {state.value === "blocked" && (
        <p role="status">
          <span>{say("Couldn't load the chart. This device may be offline, or something is blocking it.")} </span>
          <a href={marketPageUrl(symbol)} target="_blank" rel="noopener noreferrer nofollow">
            {say("Open in a new tab")}
          </a>
        </p>
      )}
      {(state.value === "asked" || state.value === "here") && (
        <iframe
          ref={frame}
          class="market-frame"
          title={say("Market chart of {symbol}", { symbol })}
          src={url}
          sandbox="allow-scripts allow-same-origin allow-popups"
          referrerPolicy="no-referrer"
        />
      )}
    </figure>
  )
})

/** A chart's numbers as text cells. */
interface ChartTable {
  readonly head: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const cell = (value: number | undefined): string => (value === undefined ? "" : formatValue(value))

/** Everything a chart shows, in rows. */
const chartTable = (chart: Exclude<Chart, { readonly type: "tv" }>): ChartTable => {
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

interface PiePlotProps {
  readonly labels: ReadonlyArray<string>
  readonly values: ReadonlyArray<number>
}

/** Shares of a whole. */
const PiePlot = component$<PiePlotProps>((props) => {
  const slices = pieSlices(props.values)
  const names = props.labels.map((label, index) => `${label} (${Math.round((slices[index]?.share ?? 0) * 100)}%)`)
  return (
    <div class="row wrap gap-5 pie">
      <svg class="plot is-pie" viewBox="-1.05 -1.05 2.1 2.1" aria-hidden="true">
        {slices.map((slice, index) => (
          <path key={`slice-${index}`} class={`plot-slice tone-${index % 6}`} d={slice.path} />
        ))}
      </svg>
      <Legend names={names} />
    </div>
  )
})

interface CandlePlotProps {
  readonly labels: ReadonlyArray<string>
  readonly candles: ReadonlyArray<{
    readonly open: number
    readonly high: number
    readonly low: number
    readonly close: number
  }>
}

/** Open, high, low and close per label; rising candles are hollow, falling ones filled. */
const CandlePlot = component$<CandlePlotProps>((props) => {
  const axis = valueAxis(
    props.candles.flatMap((candle) => [candle.low, candle.high]),
    false
  )
  const count = props.candles.length
  const width = Math.min(18, barWidth(count))
  return (
    <svg class="plot" viewBox={`0 0 ${PLOT.width} ${PLOT.height}`} aria-hidden="true">
      <Axes axis={axis} labels={props.labels} places="band" />
      {props.candles.map((candle, index) => {
        const x = xOf(index, count, "band")
        const top = yOf(axis, Math.max(candle.open, candle.close))
        const bottom = yOf(axis, Math.min(candle.open, candle.close))
        return (
          <g key={`candle-${index}`} class={candle.close >= candle.open ? "candle is-rising" : "candle is-falling"}>
            <line x1={x} x2={x} y1={yOf(axis, candle.high)} y2={yOf(axis, candle.low)} />
            <rect x={x - width / 2} y={top} width={width} height={Math.max(1, bottom - top)} rx="1" />
          </g>
        )
      })}
    </svg>
  )
})

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
