import { component$ } from "@builder.io/qwik"
import { pieSlices } from "./chartGeometry.ts"
import { Legend } from "./Legend.tsx"

interface PiePlotProps {
  readonly labels: ReadonlyArray<string>
  readonly values: ReadonlyArray<number>
}

/** Shares of a whole. */
export const PiePlot = component$<PiePlotProps>((props) => {
  const slices = pieSlices(props.values)
  const names = props.labels.map((label, index) => `${label} (${Math.round((slices[index]?.share ?? 0) * 100)}%)`)
  return (
    <div class="pie">
      <svg class="plot is-pie" viewBox="-1.05 -1.05 2.1 2.1" aria-hidden="true">
        {slices.map((slice, index) => (
          <path key={`slice-${index}`} class={`plot-slice tone-${index % 6}`} d={slice.path} />
        ))}
      </svg>
      <Legend names={names} />
    </div>
  )
})
