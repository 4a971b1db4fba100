import { component$ } from "@builder.io/qwik"
import { Axes } from "./Axes.tsx"
import { barOutline, barWidth, PLOT, type Plot, valueAxis, xOf, yOf } from "./chartGeometry.ts"

interface BarPlotProps {
  readonly labels: ReadonlyArray<string>
  readonly values: ReadonlyArray<number>
  readonly unit?: string
  /** The bar that stands out. */
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
