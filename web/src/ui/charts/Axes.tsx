import { component$ } from "@builder.io/qwik"
import { formatValue, PLOT, type Plot, shownLabels, tickText, type ValueAxis, xOf, yOf } from "./chartGeometry.ts"

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
  /** Centred, the last one would stand beyond the drawing. */
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
