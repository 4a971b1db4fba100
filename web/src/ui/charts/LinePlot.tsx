import { component$ } from "@builder.io/qwik"
import { Axes } from "./Axes.tsx"
import { areaPath, linePath, PLOT, valueAxis, xOf, yOf } from "./chartGeometry.ts"
import { Legend } from "./Legend.tsx"

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
