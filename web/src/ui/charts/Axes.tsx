import { component$ } from "@builder.io/qwik"
import { formatValue, PLOT, shownLabels, tickText, type ValueAxis, xOf, yOf } from "./chartGeometry.ts"

interface AxesProps {
  readonly axis: ValueAxis
  readonly labels: ReadonlyArray<string>
  readonly places: "edge" | "band"
  /** What the values are in, such as "$" or "" for plain counts; short numbers then. */
  readonly unit?: string | undefined
}

const short = (label: string) => (label.length > 14 ? `${label.slice(0, 13)}…` : label)

/** Grid lines with values, and the labels below a plot. */
export const Axes = component$<AxesProps>((props) => (
  <g class="axes">
    {props.axis.ticks.map((tick) => (
      <g key={`tick-${tick}`}>
        <line x1={PLOT.left} x2={PLOT.width - PLOT.right} y1={yOf(props.axis, tick)} y2={yOf(props.axis, tick)} />
        <text x={PLOT.left - 8} y={yOf(props.axis, tick) + 4} text-anchor="end">
          {props.unit === undefined ? formatValue(tick) : tickText(tick, props.unit)}
        </text>
      </g>
    ))}
    {shownLabels(props.labels).map((index) => (
      <text
        key={`label-${index}`}
        x={xOf(index, props.labels.length, props.places)}
        y={PLOT.height - 12}
        text-anchor="middle"
      >
        {short(props.labels[index] ?? "")}
      </text>
    ))}
  </g>
))
