import { type Component, component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import type { Chart } from "../../../../src/services/markers/chart.ts"

interface Loaded {
  readonly Figure: Component<{ readonly chart: Chart }>
}

let loaded: Loaded | null = null

/** A chart in an answer. The drawing comes with the first one; few conversations have any. */
export const LazyChart = component$<{ readonly chart: Chart }>((props) => {
  const part = useSignal<Loaded | null>(() => loaded)
  const failed = useSignal(false)
  useVisibleTask$(
    () => {
      if (part.value !== null) return
      import("./ChartFigure.tsx").then(
        ({ ChartFigure }) => {
          loaded = { Figure: ChartFigure }
          part.value = loaded
        },
        () => {
          failed.value = true
        }
      )
    },
    { strategy: "document-ready" }
  )
  if (failed.value) return <p class="chip">This chart could not be loaded. Reload the page to see it.</p>
  if (part.value === null) return <div class="chart-coming" />
  const { Figure } = part.value
  return <Figure chart={props.chart} />
})
