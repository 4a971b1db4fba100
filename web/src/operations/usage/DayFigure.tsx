import { component$ } from "@builder.io/qwik"
import { shortDay } from "../../core/common/dateText.ts"
import type { UsageGroup } from "../../core/operations/usage.ts"
import { BarPlot } from "../../ui/charts/BarPlot.tsx"
import { shownLabels } from "../../ui/charts/chartGeometry.ts"
import { UsageTable } from "./UsageTable.tsx"
import { type Metric, metricOf } from "./usageTable.ts"

const UNITS: ReadonlyArray<readonly [string, number]> = [
  [", millions", 1_000_000],
  [", thousands", 1_000]
]

interface DayFigureProps {
  readonly days: ReadonlyArray<UsageGroup>
  readonly metric: Metric
}

/** The days as labels: only every second of those that fit a wide drawing, so that they fit a narrow one too. */
const dayLabels = (days: ReadonlyArray<UsageGroup>): ReadonlyArray<string> => {
  const labels = days.map(({ name }) => shortDay(name))
  const shown = new Set(shownLabels(labels).filter((_, index) => index % 2 === 0))
  return labels.map((label, index) => (shown.has(index) ? label : ""))
}

/** Values in units that keep the axis short. */
const scaled = (values: ReadonlyArray<number>): { readonly unit: string; readonly values: ReadonlyArray<number> } => {
  const most = Math.max(0, ...values)
  const [unit, size] = UNITS.find(([, size]) => most >= 10 * size) ?? ["", 1]
  return { unit, values: values.map((value) => value / size) }
}

/** Cost or tokens, with a bar for each day. */
export const DayFigure = component$<DayFigureProps>((props) => {
  const labels = dayLabels(props.days)
  const { unit, values } = scaled(props.days.map((day) => metricOf(day, props.metric)))
  const title = props.metric === "cost" ? `Cost by day, US dollars${unit}` : `Tokens by day${unit}`
  const newestFirst = props.days.toReversed()
  return (
    <figure class="chart usage-figure" data-figure={`day-${props.metric}`}>
      <figcaption>{title}</figcaption>
      <div class="chart-plot">
        <BarPlot labels={labels} values={values} />
      </div>
      <details class="chart-data">
        <summary>Data</summary>
        <UsageTable kind="Day (UTC)" label={`${title}, numbers`} groups={newestFirst} />
      </details>
    </figure>
  )
})
