import { $, component$, useSignal } from "@builder.io/qwik"
import { longDay, shortDay } from "../../core/common/dateText.ts"
import { say } from "../../core/language/say.ts"
import { allTokens, count, money, type UsageGroup } from "../../core/operations/usage.ts"
import { BarPlot } from "../../ui/charts/BarPlot.tsx"
import { bandAt, shownLabels } from "../../ui/charts/chartGeometry.ts"
import { UsageTable } from "./UsageTable.tsx"
import { type Metric, metricOf } from "./usageTable.ts"
import "../../ui/fold.css"

interface DayFigureProps {
  readonly days: ReadonlyArray<UsageGroup>
  readonly metric: Metric
}

const TITLES = { cost: say("Cost by day"), tokens: say("Tokens by day") }
const UNITS = { cost: "$", tokens: "" } as const
const STEPS = new Map([
  ["ArrowLeft", -1],
  ["ArrowRight", 1]
])

/** The days as labels: only every second of those that fit a wide drawing, so that they fit a narrow one too. */
const dayLabels = (days: ReadonlyArray<UsageGroup>): ReadonlyArray<string> => {
  const labels = days.map(({ name }) => shortDay(name))
  const shown = new Set(shownLabels(labels).filter((_, index) => index % 2 === 0))
  return labels.map((label, index) => (shown.has(index) ? label : ""))
}

/** Cost or tokens, with a bar for each day, which says its numbers under the pointer, a finger or the arrow keys. */
export const DayFigure = component$<DayFigureProps>((props) => {
  const { days, metric } = props
  const marked = useSignal<number | null>(null)
  const title = TITLES[metric]
  const unit = UNITS[metric]
  const day = days[marked.value ?? -1]
  const point = $((event: PointerEvent, plot: HTMLElement) => {
    const { left, width } = plot.getBoundingClientRect()
    marked.value = bandAt((event.clientX - left) / width, days.length)
  })
  const leave = $(() => {
    marked.value = null
  })
  const isLate = (marked.value ?? 0) >= days.length / 2
  return (
    <figure class="chart usage-figure" data-figure={`day-${metric}`}>
      <figcaption>{title}</figcaption>
      <div
        class="chart-plot day-plot"
        tabIndex={0}
        role="group"
        aria-label={say("{title}. The left and right arrow keys go through the days.", { title })}
        onPointerMove$={point}
        onPointerDown$={point}
        onPointerLeave$={(event) => (event.pointerType === "mouse" ? leave() : undefined)}
        onBlur$={leave}
        onKeyDown$={(event) => {
          const step = STEPS.get(event.key)
          if (step === undefined || days.length === 0) return
          const from = marked.value ?? (step > 0 ? -1 : days.length)
          marked.value = Math.max(0, Math.min(days.length - 1, from + step))
        }}
      >
        <BarPlot
          labels={dayLabels(days)}
          values={days.map((one) => metricOf(one, metric))}
          unit={unit}
          marked={marked.value}
        />
        <p class={["day-tip", isLate ? "is-late" : ""]} role="status">
          {day !== undefined && (
            <>
              <strong>{longDay(day.name)}</strong>
              <span>
                {say("{cost}, {tokens} tokens, {responses} responses", {
                  cost: money(day.cost),
                  tokens: count(allTokens(day)),
                  responses: count(day.messages)
                })}
              </span>
            </>
          )}
        </p>
      </div>
      <details class="chart-data fold">
        <summary>{say("Data")}</summary>
        <UsageTable kind={say("Day (UTC)")} label={say("{title}, numbers", { title })} groups={days.toReversed()} />
      </details>
    </figure>
  )
})
