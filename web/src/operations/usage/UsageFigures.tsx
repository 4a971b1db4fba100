import { $, component$, type QRL, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import { longDay, shortDay } from "../../core/common/dateText.ts"
import { pageLocale, say, sayCount } from "../../core/language/say.ts"
import { allTokens, costText, count, type UsageGroup } from "../../core/operations/usage.ts"
import { bandAt, NARROW_PLOT, PLOT, type Plot, shownLabels, WIDE_PLOT } from "../../ui/charts/chartGeometry.ts"
import { BarPlot } from "../../ui/charts/plots.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { inUtc, METRICS, type Metric, metricOf, metricText, USAGE_HEADS, usageCells } from "./usageTable.ts"
import "../../ui/fold.css"

interface UsageTableProps {
  /** What a row is, such as "Day". */
  readonly kind: string
  /** Names the table for screen readers. */
  readonly label: string
  readonly groups: ReadonlyArray<UsageGroup>
}

/** The numbers behind a chart. */
const UsageTable = component$<UsageTableProps>((props) => (
  <div class="table-scroll" tabIndex={0} role="region" aria-label={props.label}>
    <table>
      <thead>
        <tr>
          <th scope="col">{props.kind}</th>
          {USAGE_HEADS.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.groups.map((group) => (
          <tr key={group.name}>
            <th scope="row">{group.name}</th>
            {usageCells(group).map((cell, index) => (
              <td key={index}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
))

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

const percent = new Intl.NumberFormat(pageLocale, { style: "percent", maximumFractionDigits: 0 })

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

interface DayFigureProps {
  readonly days: ReadonlyArray<UsageGroup>
  readonly metric: Metric
  readonly onMetric$: QRL<(metric: Metric) => void>
}

const TITLES = { cost: say("Cost by day"), tokens: say("Tokens by day") }
const UNITS = { cost: "$", tokens: "" } as const
const STEPS = new Map([
  ["ArrowLeft", -1],
  ["ArrowRight", 1]
])

const PHONE = "(max-width: 760px)"
const WIDE = "(min-width: 1200px)"

/** The drawing for the window's width. */
const plotNow = (): Plot => (matchMedia(PHONE).matches ? NARROW_PLOT : matchMedia(WIDE).matches ? WIDE_PLOT : PLOT)

/** Of the days that aren't complete there's one, today, which is the last one then. */
const openDay = (days: ReadonlyArray<UsageGroup>): number | null =>
  days.at(-1)?.name === new Date().toISOString().slice(0, 10) ? days.length - 1 : null

/** The days as labels: the last one's, which is most often today's, and as many evenly before it as fit. */
const dayLabels = (days: ReadonlyArray<UsageGroup>, plot: Plot): ReadonlyArray<string> => {
  const labels = days.map(({ name }) => shortDay(name))
  const [first = 0, second = days.length] = shownLabels(labels, plot)
  // Only every second of those that fit a wide drawing, which a narrow window makes small.
  const step = (second - first) * (plot === NARROW_PLOT ? 1 : 2)
  const today = openDay(days)
  return labels.map((label, index) => {
    if (index === today) return say("Today")
    return (days.length - 1 - index) % step === 0 ? label : ""
  })
}

/** Cost or tokens, with a bar for each day, which says its numbers under the pointer, a finger or the arrow keys. */
export const DayFigure = component$<DayFigureProps>((props) => {
  const { days, metric, onMetric$ } = props
  const fitting = useSignal(plotNow)
  const plot = fitting.value
  const marked = useSignal<number | null>(null)
  const title = TITLES[metric]
  const unit = UNITS[metric]
  const day = days[marked.value ?? -1]
  const today = openDay(days)
  const point = $((event: PointerEvent, drawing: HTMLElement) => {
    const { left, width } = drawing.getBoundingClientRect()
    marked.value = bandAt((event.clientX - left) / width, days.length, plot)
  })
  const leave = $(() => {
    marked.value = null
  })
  useBrowserTask$(({ cleanup }) => {
    const onWidth = () => {
      fitting.value = plotNow()
    }
    const widths = [matchMedia(PHONE), matchMedia(WIDE)]
    for (const width of widths) width.addEventListener("change", onWidth)
    cleanup(() => {
      for (const width of widths) width.removeEventListener("change", onWidth)
    })
  })

  const isLate = (marked.value ?? 0) >= days.length / 2
  return (
    <figure class="chart usage-figure" data-figure={`day-${metric}`}>
      <figcaption>{inUtc(title)}</figcaption>
      <Segmented
        label={say("Measure")}
        options={METRICS}
        value={metric}
        onChange$={(chosen: string) => onMetric$(chosen === "tokens" ? "tokens" : "cost")}
      />
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
          labels={dayLabels(days, plot)}
          values={days.map((one) => metricOf(one, metric))}
          unit={unit}
          marked={marked.value}
          plot={plot}
          areChosen
          {...(today === null ? {} : { open: today })}
        />
        <p class={["day-tip", isLate ? "is-late" : ""]} role="status">
          {day !== undefined && (
            <>
              <strong>
                {inUtc(
                  marked.value === today ? say("{month} so far", { month: longDay(day.name) }) : longDay(day.name)
                )}
              </strong>
              <span>
                {say("{cost} · {tokens} tokens · {responses} responses", {
                  cost: costText(day),
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
