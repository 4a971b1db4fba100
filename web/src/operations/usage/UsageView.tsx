import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { useReadable } from "../../base/useReadable.ts"
import { monthsOf } from "../../core/operations/months.ts"
import { USAGE_SPANS, usageStore } from "../../core/operations/UsageStore.ts"
import { allTokens, byDay, byName, count, money, sumUp, type UsageReport } from "../../core/operations/usage.ts"
import { usageCsv } from "../../core/operations/usageCsv.ts"
import { EmptyState } from "../../ui/EmptyState.tsx"
import { ErrorState } from "../../ui/ErrorState.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { LoadingState } from "../../ui/LoadingState.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { saveFile } from "../../ui/saveFile.ts"
import { StaleNote } from "../StaleNote.tsx"
import { useQuery } from "../useQuery.ts"
import { DayFigure } from "./DayFigure.tsx"
import { LimitCard } from "./LimitCard.tsx"
import { MonthTiles } from "./MonthTiles.tsx"
import { RankFigure } from "./RankFigure.tsx"
import { Tiles } from "./Tiles.tsx"
import type { Metric } from "./usageTable.ts"
import "../../ui/charts/charts.css"
import "./usage.css"

const METRICS: ReadonlyArray<{ readonly value: Metric; readonly label: string }> = [
  { value: "cost", label: "Cost" },
  { value: "tokens", label: "Tokens" }
]

const tilesOf = ({ rows }: UsageReport) => {
  const sums = sumUp(rows)
  return [
    { label: "Cost", value: money(sums.cost) },
    { label: "Tokens", value: count(allTokens(sums)) },
    { label: "Tokens in", value: count(sums.input) },
    { label: "Tokens out", value: count(sums.output) },
    { label: "Read from cache", value: count(sums.cacheRead) },
    { label: "Responses", value: count(sums.messages) },
    { label: "Failed", value: count(sums.errors) }
  ]
}

/** What the agents cost and used, by day, model, agent, card and job, and what is left of the coding agents' limits. */
export const UsageView = component$(() => {
  const app = useServices()
  const store = useConstant(() => usageStore(app.client))
  const state = useQuery(store.report)
  const totals = useQuery(store.totals)
  const months = useQuery(store.months).value.value
  const work = useQuery(store.work).value.value
  const span = useReadable(store.span)
  const metric = useSignal<Metric>("cost")
  const retry = $(() => store.report.refresh())
  const save = $(() => {
    const report = store.report.state.get().value
    if (report !== null) saveFile(`usage-${report.from}-to-${report.to}.csv`, usageCsv(report), "text/csv")
  })
  const { value, problem } = state.value
  const ever = totals.value.value
  const days = value === null ? [] : byDay(value)
  const models = value === null ? [] : byName(value.rows, "model")
  const agents = value === null ? [] : byName(value.rows, "agent")
  const cards = work?.cards ?? []
  const jobs = work?.jobs ?? []
  const tiles = value === null ? [] : tilesOf(value)
  const drawn = metric.value
  const { agentA, agentB } = store

  return (
    <section aria-labelledby="usage-title" class="place">
      <div class="place-head">
        <div>
          <h2 id="usage-title">Usage</h2>
          <p class="place-text">
            {ever === null ? "Counted from the agents' transcripts." : `${money(ever.cost)} in total. Days are in UTC.`}
          </p>
        </div>
      </div>
      {months !== null && <MonthTiles months={monthsOf(months, Date.now())} metric={drawn} />}
      <div class="place-head">
        <h2 class="place-second">{`Last ${span.value} days`}</h2>
        <div class="place-tools">
          <Segmented
            label="Time range"
            value={String(span.value)}
            options={USAGE_SPANS.map((days) => ({ value: String(days), label: `${days} days` }))}
            onChange$={(chosen) => {
              const days = USAGE_SPANS.find((known) => String(known) === chosen)
              if (days !== undefined) store.setSpan(days)
            }}
          />
          {value !== null && value.rows.length > 0 && (
            <button type="button" class="button" onClick$={save}>
              <Icon name="arrow-down" />
              <span>Save as CSV</span>
            </button>
          )}
        </div>
      </div>
      {value !== null && problem !== null && <StaleNote problem={problem} onRetry$={retry} />}
      {value === null && problem === null && <LoadingState label="Loading usage…" />}
      {value === null && problem !== null && <ErrorState title="Couldn't load usage" text={problem} onRetry$={retry} />}
      {value?.rows.length === 0 && (
        <EmptyState
          icon="activity"
          title="No usage in this period"
          text="Talk to an agent, or choose a longer time range. New usage appears within a minute."
        />
      )}
      {value !== null && value.rows.length > 0 && (
        <>
          <Tiles tiles={tiles} />
          <div class="usage-pair">
            <DayFigure days={days} metric="cost" />
            <DayFigure days={days} metric="tokens" />
          </div>
          <div class="place-head">
            <h2 class="place-second">Breakdown</h2>
            <Segmented
              label="Measure"
              value={drawn}
              options={METRICS}
              onChange$={(chosen) => {
                metric.value = chosen === "tokens" ? "tokens" : "cost"
              }}
            />
          </div>
          <div class="usage-pair">
            <RankFigure title="By model" kind="Model" groups={models} metric={drawn} />
            <RankFigure title="By agent" kind="Agent" groups={agents} metric={drawn} />
            {cards.length > 0 && <RankFigure title="By card" kind="Card" groups={cards} metric={drawn} />}
            {jobs.length > 0 && <RankFigure title="By job" kind="Job" groups={jobs} metric={drawn} />}
          </div>
        </>
      )}
      <h2 class="place-second">Limits of coding agents on the console's machine</h2>
      <div class="usage-pair">
        <LimitCard name="Codex" query={agentA} />
        <LimitCard name="Claude Code" query={agentB} />
      </div>
    </section>
  )
})
