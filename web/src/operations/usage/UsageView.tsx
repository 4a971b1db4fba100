import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { useCommands } from "../../base/useCommands.ts"
import { useReadable } from "../../base/useReadable.ts"
import { BudgetSection } from "../../budgets/BudgetSection.tsx"
import { say, sayCount } from "../../core/language/say.ts"
import { monthsOf } from "../../core/operations/months.ts"
import { USAGE_SPANS, usageStore } from "../../core/operations/UsageStore.ts"
import { byDay, byName, costText } from "../../core/operations/usage.ts"
import { usageCsv } from "../../core/operations/usageCsv.ts"
import { EmptyState } from "../../ui/EmptyState.tsx"
import { ErrorState } from "../../ui/ErrorState.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { LoadingState } from "../../ui/LoadingState.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { saveFile } from "../../ui/saveFile.ts"
import { StaleNote, useQuery } from "../StaleNote.tsx"
import { LimitCard, MonthHero, Tiles } from "./UsageCards.tsx"
import { DayFigure, RankFigure } from "./UsageFigures.tsx"
import { inUtc, METRICS, type Metric, spanTiles } from "./usageTable.ts"
import "../../ui/charts/charts.css"
import "./usage.css"

const SPANS = USAGE_SPANS.map((days) => ({ value: String(days), label: sayCount(days, "{count} day", "{count} days") }))

/** What the agents cost and used, by day, model, agent, card and job, and what is left of the coding agents' limits. */
export const UsageView = component$(() => {
  const app = useServices()
  const store = useConstant(() => usageStore(app.client))
  const state = useQuery(store.report)
  const totals = useQuery(store.totals)
  const months = useQuery(store.months).value
  const work = useQuery(store.work).value
  const span = useReadable(store.span)
  const metric = useSignal<Metric>("cost")
  const retry = $(() => store.report.refresh())
  const save = $(() => {
    const report = store.report.state.get().value
    if (report !== null) saveFile(`usage-${report.from}-to-${report.to}.csv`, usageCsv(report), "text/csv")
  })
  useCommands(() => [
    {
      id: "usage.csv",
      label: say("Save the usage as CSV"),
      group: say("Usage"),
      keywords: "export download table",
      when: () => store.report.state.get().value !== null,
      run: save
    },
    ...USAGE_SPANS.map((days) => ({
      id: `usage.span ${days}`,
      label: sayCount(days, "Show the usage of the last day", "Show the usage of the last {count} days"),
      group: say("Usage"),
      when: () => store.span.get() !== days,
      run: () => store.setSpan(days)
    })),
    ...METRICS.map(({ value: measure, label }) => ({
      id: `usage.measure ${measure}`,
      label: say("Measure: {measure}", { measure: label }),
      group: say("Usage"),
      when: () => metric.value !== measure,
      run: () => {
        metric.value = measure
      }
    }))
  ])
  const { value, problem } = state.value
  const ever = totals.value.value
  const drawn = metric.value
  const isUnpriced = ever?.unpriced === true || value?.rows.some(({ unpriced }) => unpriced === true) === true
  const { agentA, agentB } = store
  // Drawn at once, so that nothing moves under the eyes when one answer comes later than another.
  const isReady = value !== null && (months.value ?? months.problem) !== null && (work.value ?? work.problem) !== null

  return (
    <section aria-labelledby="usage-title" class="place">
      <h2 id="usage-title" class="visually-hidden">
        {say("Usage")}
      </h2>
      {value !== null && problem !== null && <StaleNote problem={problem} onRetry$={retry} />}
      {!isReady && problem === null && <LoadingState label={say("Loading usage…")} />}
      {value === null && problem !== null && (
        <ErrorState title={say("Couldn't load usage")} text={problem} onRetry$={retry} />
      )}
      {isReady && months.value !== null && (
        <MonthHero
          months={monthsOf(months.value, Date.now())}
          metric={drawn}
          ever={ever === null || drawn === "tokens" ? null : costText(ever)}
        />
      )}
      {isReady && (
        <div class="row wrap space-between place-head">
          <h2 class="place-second">{inUtc(sayCount(span.value, "Last day", "Last {count} days"))}</h2>
          <div class="row wrap gap-3 place-tools">
            <Segmented
              label={say("Time range")}
              options={SPANS}
              value={String(span.value)}
              onChange$={(chosen: string) => {
                const days = USAGE_SPANS.find((one) => String(one) === chosen)
                if (days !== undefined) store.setSpan(days)
              }}
            />
            <button type="button" class="button is-small" onClick$={save}>
              <Icon name="arrow-down" />
              <span>{say("Save as CSV")}</span>
            </button>
          </div>
        </div>
      )}
      {isReady && value.rows.length === 0 && (
        <EmptyState
          icon="activity"
          title={say("No usage in this period")}
          text={say("Talk to an agent, or choose a longer time range. New usage appears within a minute.")}
        />
      )}
      {isReady && value.rows.length > 0 && (
        <>
          <Tiles tiles={spanTiles(value)} />
          <DayFigure
            days={byDay(value)}
            metric={drawn}
            onMetric$={(chosen) => {
              metric.value = chosen
            }}
          />
          <div class="stack gap-4 usage-pair">
            <RankFigure title={say("By model")} kind="model" groups={byName(value.rows, "model")} metric={drawn} />
            <RankFigure title={say("By agent")} kind="agent" groups={byName(value.rows, "agent")} metric={drawn} />
            {work.value !== null && work.value.cards.length > 0 && (
              <RankFigure title={say("By card")} kind="card" groups={work.value.cards} metric={drawn} />
            )}
            {work.value !== null && work.value.jobs.length > 0 && (
              <RankFigure title={say("By job")} kind="job" groups={work.value.jobs} metric={drawn} />
            )}
          </div>
          {isUnpriced && (
            <p class="place-text">
              {say("Models without a price cost an unknown amount: sums that include them are at least this much.")}
            </p>
          )}
          <p class="place-text">{say("Counted from the agents' transcripts. Days are in UTC.")}</p>
        </>
      )}
      <BudgetSection />
      <div>
        <h2 class="place-second">{say("Limits of coding agents")}</h2>
        <p class="place-text">{say("On the machine that the console runs on.")}</p>
      </div>
      <div class="stack gap-4 usage-pair">
        <LimitCard name="Codex" query={agentA} />
        <LimitCard name={say("Claude Code")} query={agentB} />
      </div>
    </section>
  )
})
