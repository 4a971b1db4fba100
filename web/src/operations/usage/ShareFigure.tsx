import { component$ } from "@builder.io/qwik"
import type { UsageGroup } from "../../core/operations/usage.ts"
import { PiePlot } from "../../ui/charts/PiePlot.tsx"
import { UsageTable } from "./UsageTable.tsx"
import { type Metric, metricOf, metricText } from "./usageTable.ts"

interface ShareFigureProps {
  readonly title: string
  readonly kind: string
  readonly groups: ReadonlyArray<UsageGroup>
  readonly metric: Metric
}

/** A pie stays readable up to this many slices; the rest become one. */
const MAX_SLICES = 5

/** Shares of models or agents, with their numbers. */
export const ShareFigure = component$<ShareFigureProps>((props) => {
  const { groups, metric } = props
  const sorted = groups.toSorted((a, b) => metricOf(b, metric) - metricOf(a, metric))
  const named = sorted.length > MAX_SLICES + 1 ? sorted.slice(0, MAX_SLICES) : sorted
  const rest = sorted.slice(named.length)
  const others = rest.reduce((sum, group) => sum + metricOf(group, metric), 0)
  const labels = [
    ...named.map((group) => `${group.name}: ${metricText(group, metric)}`),
    ...(rest.length > 0 ? [`${rest.length} others`] : [])
  ]
  const values = [...named.map((group) => metricOf(group, metric)), ...(rest.length > 0 ? [others] : [])]
  return (
    <figure class="chart usage-figure" data-figure={props.kind.toLowerCase()}>
      <figcaption>{props.title}</figcaption>
      <div class="chart-plot">
        <PiePlot labels={labels} values={values} />
      </div>
      <details class="chart-data">
        <summary>Data</summary>
        <UsageTable kind={props.kind} label={`Usage ${props.title.toLowerCase()}`} groups={sorted} />
      </details>
    </figure>
  )
})
