import { component$ } from "@builder.io/qwik"
import type { UsageGroup } from "../../core/operations/usage.ts"
import { UsageTable } from "./UsageTable.tsx"
import { type Metric, metricOf, metricText } from "./usageTable.ts"

interface RankFigureProps {
  readonly title: string
  /** What a row is, such as "Model". */
  readonly kind: string
  readonly groups: ReadonlyArray<UsageGroup>
  readonly metric: Metric
}

/** More bars than this aren't compared any more; the table has them all. */
const MAX_BARS = 8

const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 })

/** Groups by what they took, the largest first, with their share of the whole. */
export const RankFigure = component$<RankFigureProps>((props) => {
  const { groups, metric } = props
  const sorted = groups.toSorted((a, b) => metricOf(b, metric) - metricOf(a, metric))
  const total = sorted.reduce((sum, group) => sum + metricOf(group, metric), 0)
  const most = Math.max(...sorted.map((group) => metricOf(group, metric)), Number.MIN_VALUE)
  return (
    <figure class="chart usage-figure" data-figure={props.kind.toLowerCase()}>
      <figcaption>{props.title}</figcaption>
      <ul class="plain-list ranks">
        {sorted.slice(0, MAX_BARS).map((group) => (
          <li key={group.name}>
            <span class="rank-name">{group.name}</span>
            <span class="rank-value">
              {`${metricText(group, metric)} · ${percent.format(total === 0 ? 0 : metricOf(group, metric) / total)}`}
            </span>
            <span class="rank-track" aria-hidden="true">
              <span style={{ inlineSize: `${(100 * metricOf(group, metric)) / most}%` }} />
            </span>
          </li>
        ))}
      </ul>
      {sorted.length > MAX_BARS && <p class="muted">{`${sorted.length - MAX_BARS} more in the table below.`}</p>}
      <details class="chart-data">
        <summary>Data</summary>
        <UsageTable kind={props.kind} label={`Usage ${props.title.toLowerCase()}`} groups={sorted} />
      </details>
    </figure>
  )
})
