import { component$ } from "@builder.io/qwik"
import { monthName } from "../../core/common/dateText.ts"
import { say } from "../../core/language/say.ts"
import { changeOf, changeText, type Months } from "../../core/operations/months.ts"
import { Icon } from "../../ui/Icon.tsx"
import { inUtc, type Metric, metricOf, metricText } from "./usageTable.ts"

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
