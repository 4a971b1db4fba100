import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../../app/ConsoleContext.ts"
import { useReadable } from "../../app/useReadable.ts"
import { USAGE_SPANS, usageStore } from "../../core/operations/UsageStore.ts"
import { allTokens, byDay, byName, count, money, sumUp, type UsageReport } from "../../core/operations/usage.ts"
import { EmptyState } from "../../ui/EmptyState.tsx"
import { ErrorState } from "../../ui/ErrorState.tsx"
import { LoadingState } from "../../ui/LoadingState.tsx"
import { StaleNote } from "../StaleNote.tsx"
import { useQuery } from "../useQuery.ts"
import { DayFigure } from "./DayFigure.tsx"
import { LimitCard } from "./LimitCard.tsx"
import { ShareFigure } from "./ShareFigure.tsx"
import { Tiles } from "./Tiles.tsx"
import type { Metric } from "./usageTable.ts"
import "../../chat/charts/charts.css"
import "./usage.css"

const METRICS: ReadonlyArray<readonly [Metric, string]> = [
  ["cost", "Cost"],
  ["tokens", "Tokens"]
]

const tilesOf = ({ rows }: UsageReport) => {
  const sums = sumUp(rows)
  return [
    { label: "Cost", value: money(sums.cost) },
    { label: "Tokens", value: count(allTokens(sums)) },
    { label: "Tokens in", value: count(sums.input) },
    { label: "Tokens out", value: count(sums.output) },
    { label: "Read from cache", value: count(sums.cacheRead) },
    { label: "Answers", value: count(sums.messages) },
    { label: "Failed", value: count(sums.errors) }
  ]
}

/** What the agents cost and used, by day, model and agent, and how much of their limits coding agents have left. */
export const UsageView = component$(() => {
  const app = useServices()
  const store = useConstant(() => usageStore(app.console))
  const state = useQuery(store.report)
  const totals = useQuery(store.totals)
  const span = useReadable(store.span)
  const metric = useSignal<Metric>("cost")
  const retry = $(() => store.report.refresh())
  const { value, problem } = state.value
  const ever = totals.value.value
  const days = value === null ? [] : byDay(value)
  const models = value === null ? [] : byName(value.rows, "model")
  const agents = value === null ? [] : byName(value.rows, "agent")
  const tiles = value === null ? [] : tilesOf(value)
  const drawn = metric.value
  const { agentA, agentB } = store

  return (
    <section aria-labelledby="usage-title" class="place">
      <div class="place-head">
        <div>
          <h2 id="usage-title">Usage</h2>
          <p class="place-text">
            {ever === null
              ? "Counted from the agents' own transcripts."
              : `${money(ever.cost)} since counting began. Days are UTC days.`}
          </p>
        </div>
        <fieldset class="choice">
          <legend class="visually-hidden">How far back</legend>
          {USAGE_SPANS.map((days) => (
            <button
              key={days}
              type="button"
              aria-pressed={span.value === days ? "true" : "false"}
              onClick$={() => store.setSpan(days)}
            >
              {`${days} days`}
            </button>
          ))}
        </fieldset>
      </div>
      {value !== null && problem !== null && <StaleNote problem={problem} onRetry$={retry} />}
      {value === null && problem === null && <LoadingState label="Counting…" />}
      {value === null && problem !== null && (
        <ErrorState title="The usage could not be had" text={problem} onRetry$={retry} />
      )}
      {value?.rows.length === 0 && (
        <EmptyState
          icon="activity"
          title="Nothing was used in these days"
          text="Talk to an agent, or look further back. New usage shows within a minute."
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
            <h2 class="place-second">Who used it</h2>
            <fieldset class="choice">
              <legend class="visually-hidden">What the shares are of</legend>
              {METRICS.map(([name, label]) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={metric.value === name ? "true" : "false"}
                  onClick$={() => {
                    metric.value = name
                  }}
                >
                  {label}
                </button>
              ))}
            </fieldset>
          </div>
          <div class="usage-pair">
            <ShareFigure title="By model" kind="Model" groups={models} metric={drawn} />
            <ShareFigure title="By agent" kind="Agent" groups={agents} metric={drawn} />
          </div>
        </>
      )}
      <h2 class="place-second">Limits of coding agents on the console's machine</h2>
      <div class="usage-pair">
        <LimitCard name="Agent A" product="Codex" query={agentA} />
        <LimitCard name="Agent B" product="Claude Code" query={agentB} />
      </div>
    </section>
  )
})
