import { component$ } from "@builder.io/qwik"
import {
  areaPath,
  barOutline,
  barWidth,
  formatValue,
  linePath,
  PLOT,
  type Plot,
  shownLabels,
  tickText,
  type ValueAxis,
  valueAxis,
  xOf,
  yOf
} from "./chartGeometry.ts"

interface AxesProps {
  readonly axis: ValueAxis
  readonly labels: ReadonlyArray<string>
  readonly places: "edge" | "band"
  /** What the values are in, such as "$" or "" for plain counts; short numbers then. */
  readonly unit?: string | undefined
  readonly plot?: Plot
  /** The labels that are shown were chosen already; the others are empty. */
  readonly areChosen?: boolean | undefined
}

const short = (label: string) => (label.length > 14 ? `${label.slice(0, 13)}…` : label)

/** Grid lines with values, and the labels below a plot. */
export const Axes = component$<AxesProps>((props) => {
  const { areChosen, axis, labels, places, plot = PLOT, unit } = props
  const shown =
    areChosen === true ? labels.flatMap((label, index) => (label === "" ? [] : [index])) : shownLabels(labels, plot)
  /** Centred, the last label would overflow the drawing. */
  const last = areChosen === true ? labels.length - 1 : -1
  return (
    <g class="axes">
      {axis.ticks.map((tick) => (
        <g key={`tick-${tick}`}>
          <line x1={plot.left} x2={plot.width - plot.right} y1={yOf(axis, tick, plot)} y2={yOf(axis, tick, plot)} />
          <text x={plot.left - 8} y={yOf(axis, tick, plot) + 4} text-anchor="end">
            {unit === undefined ? formatValue(tick) : tickText(tick, unit)}
          </text>
        </g>
      ))}
      {shown.map((index) => (
        <text
          key={`label-${index}`}
          x={index === last ? plot.width - plot.right : xOf(index, labels.length, places, plot)}
          y={plot.height - plot.bottom / 3}
          text-anchor={index === last ? "end" : "middle"}
        >
          {short(labels[index] ?? "")}
        </text>
      ))}
    </g>
  )
})

interface BarPlotProps {
  readonly labels: ReadonlyArray<string>
  readonly values: ReadonlyArray<number>
  readonly unit?: string
  /** The highlighted bar. */
  readonly marked?: number | null
  /** The bar whose value isn't complete yet. */
  readonly open?: number
  readonly plot?: Plot
  readonly areChosen?: boolean
}

/** One bar per label, from zero. */
export const BarPlot = component$<BarPlotProps>((props) => {
  const plot = props.plot ?? PLOT
  const axis = valueAxis(props.values, true)
  const width = barWidth(props.values.length, plot)
  const zero = yOf(axis, 0, plot)
  return (
    <svg class={["plot", plot !== PLOT && "is-fitted"]} viewBox={`0 0 ${plot.width} ${plot.height}`} aria-hidden="true">
      <Axes axis={axis} labels={props.labels} places="band" unit={props.unit} plot={plot} areChosen={props.areChosen} />
      <g class="tone-0">
        {props.values.map((value, index) => (
          <path
            key={`bar-${index}`}
            class={["plot-bar", index === props.marked && "is-marked", index === props.open && "is-open"]}
            d={barOutline(
              xOf(index, props.values.length, "band", plot) - width / 2,
              zero,
              width,
              yOf(axis, value, plot)
            )}
          />
        ))}
      </g>
    </svg>
  )
})

/** Names beside the colours of a plot. */
export const Legend = component$<{ readonly names: ReadonlyArray<string> }>((props) => (
  <ul class="plain-list legend">
    {props.names.map((name, index) => (
      <li key={`name-${index}`} class={`row gap-2 tone-${index % 6}`}>
        <span class="legend-mark" aria-hidden="true" />
        <span>{name}</span>
      </li>
    ))}
  </ul>
))

interface LinePlotProps {
  readonly labels: ReadonlyArray<string>
  readonly series: ReadonlyArray<{ readonly name: string; readonly values: ReadonlyArray<number> }>
  readonly filled: boolean
}

/** Points are drawn up to this many; beyond that the line is enough. */
const MAX_DOTS = 24

/** One or more lines over the labels, filled down to zero for an area chart. */
export const LinePlot = component$<LinePlotProps>((props) => {
  const axis = valueAxis(
    props.series.flatMap((series) => series.values),
    props.filled
  )
  return (
    <>
      <svg class="plot" viewBox={`0 0 ${PLOT.width} ${PLOT.height}`} aria-hidden="true">
        <Axes axis={axis} labels={props.labels} places="edge" />
        {props.series.map((series, index) => (
          <g key={`series-${index}`} class={`tone-${index % 6}`}>
            {props.filled && <path class="plot-area" d={areaPath(axis, series.values)} />}
            <path class="plot-line" d={linePath(axis, series.values)} />
            {series.values.length <= MAX_DOTS &&
              series.values.map((value, at) => (
                <circle
                  key={`dot-${at}`}
                  class="plot-dot"
                  cx={xOf(at, series.values.length, "edge")}
                  cy={yOf(axis, value)}
                  r="3.5"
                />
              ))}
          </g>
        ))}
      </svg>
      {props.series.length > 1 && <Legend names={props.series.map((series) => series.name)} />}
    </>
  )
})
