import { component$ } from "@builder.io/qwik"
import { monthName } from "../../core/common/dateText.ts"
import { comparison, type Months } from "../../core/operations/months.ts"
import { type Tile, Tiles } from "./Tiles.tsx"
import { type Metric, metricOf, metricText } from "./usageTable.ts"

interface MonthTilesProps {
  readonly months: Months
  readonly metric: Metric
}

const noteOf = ({ bySameDay, lastMonth, now }: Months, metric: Metric): string | undefined => {
  const compared = comparison(metricOf(now, metric), metricOf(bySameDay, metric))
  return compared === undefined ? undefined : `${compared} by this day in ${monthName(lastMonth)}`
}

/** Today, this month so far beside the same days of the last, and the last month in all. */
export const MonthTiles = component$<MonthTilesProps>((props) => {
  const { months, metric } = props
  const note = noteOf(months, metric)
  const tiles: ReadonlyArray<Tile> = [
    { label: "Today", value: metricText(months.today, metric) },
    {
      label: `${monthName(months.thisMonth)} so far`,
      value: metricText(months.now, metric),
      ...(note === undefined ? {} : { note })
    },
    { label: monthName(months.lastMonth), value: metricText(months.before, metric) }
  ]
  return <Tiles tiles={tiles} />
})
