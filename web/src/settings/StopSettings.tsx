import { component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { StopButton } from "../budgets/StopButton.tsx"
import { budgetsStore } from "../core/budgets/BudgetsStore.ts"
import { stoppedText } from "../core/budgets/budgetText.ts"
import { below } from "../core/common/basePath.ts"
import { say } from "../core/language/say.ts"

/** Stops everything, or lets it go on, and leads to the budgets. */
export const StopSettings = component$(() => {
  const app = useServices()
  const stop = useReadable(useConstant(() => budgetsStore(app.client).stop))
  const state = stop.value
  const text =
    state?.active === true
      ? stoppedText(state, Date.now())
      : say("Stops every agent on every gateway at once, and holds messages, cards and jobs until you resume.")
  return (
    <div class="settings-page">
      <div class="row wrap space-between gap-3">
        <p class="grow">{text}</p>
        <StopButton />
      </div>
      <p class="settings-note">
        <span>{say("Budgets pause work at a limit, and ask you how to go on.")}</span>{" "}
        <a href={below("/operations/usage")}>{say("See the budgets")}</a>
      </p>
    </div>
  )
})
