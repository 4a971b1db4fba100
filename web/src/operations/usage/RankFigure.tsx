import { component$ } from "@builder.io/qwik"
import { say, sayCount } from "../../core/language/say.ts"
import type { UsageGroup } from "../../core/operations/usage.ts"
import { UsageTable } from "./UsageTable.tsx"
import { type Metric, metricOf, metricText } from "./usageTable.ts"
import "../../ui/fold.css"

/** What a row is. */
const KINDS = {
  model: { name: say("Model"), table: say("Usage by model") },
  agent: { name: say("Agent"), table: say("Usage by agent") },
  card: { name: say("Card"), table: say("Usage by card") },
  job: { name: say("Job"), table: say("Usage by job") }
} as const

interface RankFigureProps {
  readonly title: string
  readonly kind: keyof typeof KINDS
  readonly groups: ReadonlyArray<UsageGroup>
  readonly metric: Metric
}

/** More bars than this aren't compared any more; the table has them all. */
const MAX_BARS = 8

const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 })

/** Groups by what they took, the largest first, with their share of the whole. */
export const RankFigure = component$<RankFigureProps>((props) => {
  const { groups, kind, metric } = props
  const { name: kindName, table } = KINDS[kind]
  const sorted = groups.toSorted((a, b) => metricOf(b, metric) - metricOf(a, metric))
  const total = sorted.reduce((sum, group) => sum + metricOf(group, metric), 0)
  return (
    <figure class="chart usage-figure" data-figure={kind}>
      <figcaption>{props.title}</figcaption>
      <ul class="plain-list stack gap-3 ranks">
        {sorted.slice(0, MAX_BARS).map((group) => {
          const { name } = group
          const share = total === 0 ? 0 : metricOf(group, metric) / total
          const isUnknown = metric === "cost" && group.unpriced === true && group.cost === 0
          const figure = metricText(group, metric)
          return (
            <li key={name}>
              <span class="break-words rank-name">{name}</span>
              <span class="soft small tabular rank-value">
                {isUnknown ? figure : `${figure} · ${percent.format(share)}`}
              </span>
              <span class="rank-track" aria-hidden="true">
                <span style={{ inlineSize: `${100 * share}%` }} />
              </span>
            </li>
          )
        })}
      </ul>
      {sorted.length > MAX_BARS && (
        <p class="muted">
          {sayCount(sorted.length - MAX_BARS, "{count} more in the table below.", "{count} more in the table below.")}
        </p>
      )}
      <details class="chart-data fold">
        <summary>{say("Data")}</summary>
        <UsageTable kind={kindName} label={table} groups={sorted} />
      </details>
    </figure>
  )
})
