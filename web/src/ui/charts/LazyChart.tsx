import { component$ } from "@builder.io/qwik"
import type { Chart } from "../../../../src/contract/markers/chart.ts"
import { LOADS_LATER } from "../../base/followPart.ts"
import { usePart } from "../../base/usePart.ts"
import { say } from "../../core/language/say.ts"

/** A chart in a response. The drawing code loads with the first one; few conversations have any. */
export const LazyChart = component$<{ readonly chart: Chart }>((props) => {
  const arriving = usePart(() => import("./ChartFigure.tsx"))
  const { part, failed } = arriving.value
  if (part !== null) return <part.ChartFigure chart={props.chart} />
  return failed ? (
    <p class="chip">{say("Couldn't load this chart. {when}", { when: LOADS_LATER })}</p>
  ) : (
    <div class="chart-coming" />
  )
})
