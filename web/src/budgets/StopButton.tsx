import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { budgetRequest } from "../base/budgetRequest.ts"
import { useReadable } from "../base/useReadable.ts"
import { budgetsStore } from "../core/budgets/BudgetsStore.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { resume } from "./resume.ts"

interface StopButtonProps {
  /** Leaves it to the bar above every screen to let work go on. */
  readonly onlyStops?: boolean
}

/** Stops everything, after a question, or lets it go on. */
export const StopButton = component$<StopButtonProps>((props) => {
  const app = useServices()
  const stop = useReadable(useConstant(() => budgetsStore(app.client).stop))
  const busy = useSignal(false)
  const isStopped = stop.value?.active === true
  const press = $(async () => {
    if (!isStopped) return budgetRequest.set({ kind: "stop" })
    busy.value = true
    await resume(app)
    busy.value = false
  })
  if (isStopped && props.onlyStops === true) return null
  const icon = isStopped ? "play" : "square"
  return (
    <button
      type="button"
      class="button is-small"
      disabled={busy.value || stop.value === null}
      data-stop={isStopped ? "resume" : "stop"}
      onClick$={press}
    >
      <Icon name={icon} />
      <span>{isStopped ? say("Resume") : say("Stop everything")}</span>
    </button>
  )
})
