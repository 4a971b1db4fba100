import { component$ } from "@builder.io/qwik"
import { Axes } from "./Axes.tsx"
import { barOutline, barWidth, PLOT, valueAxis, xOf, yOf } from "./chartGeometry.ts"

interface BarPlotProps {
  readonly labels: ReadonlyArray<string>
  readonly values: ReadonlyArray<number>
  readonly unit?: string
  /** The bar that stands out. */
  readonly marked?: number | null
}

/** One bar per label, from zero. */
export const BarPlot = component$<BarPlotProps>((props) => {
  const axis = valueAxis(props.values, true)
  const width = barWidth(props.values.length)
  const zero = yOf(axis, 0)
  return (
    <svg class="plot" viewBox={`0 0 ${PLOT.width} ${PLOT.height}`} aria-hidden="true">
      <Axes axis={axis} labels={props.labels} places="band" unit={props.unit} />
      <g class="tone-0">
        {props.values.map((value, index) => (
          <path
            key={`bar-${index}`}
            class={["plot-bar", index === props.marked ? "is-marked" : ""]}
            d={barOutline(xOf(index, props.values.length, "band") - width / 2, zero, width, yOf(axis, value))}
          />
        ))}
      </g>
    </svg>
  )
})
