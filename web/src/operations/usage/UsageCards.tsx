import { $, component$ } from "@builder.io/qwik"
import { monthName } from "../../core/common/dateText.ts"
import { fullTime, relativeTime } from "../../core/common/timeText.ts"
import { say } from "../../core/language/say.ts"
import type { LiveQuery } from "../../core/operations/LiveQuery.ts"
import type { AgentLimits, LimitWindow } from "../../core/operations/limits.ts"
import { changeOf, changeText, type Months } from "../../core/operations/months.ts"
import { Icon } from "../../ui/Icon.tsx"
import { useNow } from "../../ui/useNow.ts"
import { useQuery } from "../StaleNote.tsx"
import { inUtc, type Metric, metricOf, metricText, type Tile } from "./usageTable.ts"
import "../../ui/meter.css"

interface MonthHeroProps {
  readonly months: Months
  readonly metric: Metric
  /** Since the console began to count. */
  readonly ever: string | null
}

const ARROWS = { more: "arrow-up", less: "arrow-down", same: "minus" } as const

const changed = ({ compared, lastMonth }: Months, metric: Metric) => {
  // What has no price can't be compared by what it cost.
  const isUnknown = metric === "cost" && (compared?.now.unpriced || compared?.before.unpriced)
  if (compared === null || isUnknown) return undefined
  const change = changeOf(metricOf(compared.now, metric), metricOf(compared.before, metric))
  if (change === undefined) return undefined
  const { days, isUntilYesterday, now } = compared
  const figure = metricText(now, metric)
  const text = changeText(change, monthName(lastMonth))
  return {
    icon: ARROWS[change.way],
    text: isUntilYesterday
      ? inUtc(say("{figure} until yesterday, {change}", { figure, change: text }))
      : inUtc(say("{figure} in the first {days} days, {change}", { figure, days, change: text }))
  }
}

/** This month so far, how it compares, and the figures around it. */
export const MonthHero = component$<MonthHeroProps>((props) => {
  const { ever, metric, months } = props
  const note = changed(months, metric)
  const noteIcon = note?.icon ?? "minus"
  const others = [
    { name: inUtc(say("Today")), value: metricText(months.today, metric) },
    { name: inUtc(monthName(months.lastMonth)), value: metricText(months.before, metric) },
    ...(ever === null ? [] : [{ name: say("In total"), value: ever }])
  ]
  return (
    <div class="wrap space-between surface usage-hero">
      <div class="usage-month">
        <h3>{inUtc(say("{month} so far", { month: monthName(months.thisMonth) }))}</h3>
        <p class="usage-big">{metricText(months.now, metric)}</p>
        {note !== undefined && (
          <p class="gap-1 soft small usage-change">
            <Icon name={noteIcon} />
            <span>{note.text}</span>
          </p>
        )}
      </div>
      <dl class="usage-others">
        {others.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
})

const resetWords = ({ resetsAt, resetsText }: LimitWindow, now: number): string => {
  if (resetsAt !== null)
    return resetsAt > now
      ? say("Resets {soon}: {time}", { soon: relativeTime(resetsAt, now), time: fullTime(resetsAt) })
      : say("Has reset since. Refresh to see the current figure")
  return resetsText === null ? say("Reset time unknown") : say("Resets: {resetsText}", { resetsText })
}

const tone = (used: number) => (used >= 90 ? "is-bad" : used >= 70 ? "is-warning" : "")

/** How much of its limits a coding agent has used, or why that isn't known. */
export const LimitCard = component$<{ readonly name: string; readonly query: LiveQuery<AgentLimits> }>((props) => {
  const state = useQuery(props.query)
  const now = useNow(30_000)
  const { value, problem, busy } = state.value
  const look = $(() => props.query.refresh())
  const windows = value?.available === true ? value.windows : []
  return (
    <article class="stack gap-3 break-words surface limits" aria-label={props.name}>
      <div class="row wrap limits-head">
        <h3>{props.name}</h3>
        {value?.available === true && value.plan !== null && <span class="badge">{value.plan}</span>}
        <button type="button" class="button is-small" disabled={busy} onClick$={look}>
          <Icon name="refresh" />
          <span>{busy ? say("Refreshing…") : say("Refresh")}</span>
        </button>
      </div>
      {value === null && problem === null && <p class="muted">{say("Loading limits…")}</p>}
      {problem !== null && <p class="place-problem">{problem}</p>}
      {value?.available === false && (
        <p class="muted" data-limits="unknown">
          {value.asking ? say("Loading limits…") : value.reason}
        </p>
      )}
      {value?.available === true && windows.length === 0 && <p class="muted">{say("No limits reported.")}</p>}
      {windows.map((window) => (
        <div key={window.name} class="limit">
          <p class="space-between gap-3 tabular limit-head">
            <span>{window.name}</span>
            <span>{say("{percent}% used", { percent: Math.round(window.used) })}</span>
          </p>
          <meter
            class={["meter", tone(window.used)]}
            min={0}
            max={100}
            value={window.used}
            aria-label={say("{name}: used", { name: window.name })}
          >
            {`${Math.round(window.used)}%`}
          </meter>
          <p class="muted">{`${resetWords(window, now.value)}.`}</p>
        </div>
      ))}
      {value?.available === true && value.credits !== null && <p>{value.credits}</p>}
      {value?.available === true && value.fromFiles && (
        <p class="muted">{say("Read from its last session's files. Use it once to update the figures.")}</p>
      )}
    </article>
  )
})

/** Figures in a row. */
export const Tiles = component$<{ readonly tiles: ReadonlyArray<Tile> }>((props) => (
  <dl class="stack gap-3 tiles">
    {props.tiles.map((tile) => (
      <div key={tile.label} class="surface tile">
        <dt>{tile.label}</dt>
        <dd>{tile.value}</dd>
        {tile.note !== undefined && <dd class="muted">{tile.note}</dd>}
      </div>
    ))}
  </dl>
))
