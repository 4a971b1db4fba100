import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { budgetRequest } from "../base/budgetRequest.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import { budgetsStore } from "../core/budgets/BudgetsStore.ts"
import { stoppedText } from "../core/budgets/budgetText.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { useNow } from "../ui/useNow.ts"
import { resume } from "./resume.ts"
import "./budgets.css"

/** Says on every screen that everything is stopped, and lets it go on; the commands for both are always there. */
export const StopBar = component$(() => {
  const app = useServices()
  const store = useConstant(() => budgetsStore(app.client))
  const state = useReadable(store.stop)
  const now = useNow(30_000)
  const busy = useSignal(false)
  useBrowserTask$(({ cleanup }) => cleanup(store.list.open()))
  const goOn = $(async () => {
    busy.value = true
    await resume(app)
    busy.value = false
  })
  useCommands(() => [
    {
      id: "stop.everything",
      label: say("Stop everything…"),
      group: say("General"),
      keywords: "pause halt kill emergency budget",
      when: () => store.stop.get()?.active === false,
      run: () => budgetRequest.set({ kind: "stop" })
    },
    {
      id: "stop.resume",
      label: say("Resume everything"),
      group: say("General"),
      keywords: "go on continue stop",
      when: () => store.stop.get()?.active === true,
      run: goOn
    },
    {
      id: "budget.new",
      label: say("New budget…"),
      group: say("General"),
      keywords: "limit spend cost money",
      run: () => budgetRequest.set({ kind: "new", scope: null })
    }
  ])
  const stop = state.value
  if (stop?.active !== true) return null
  return (
    <section class="row gap-3 no-shrink small border-bottom stop-bar" aria-label={say("Everything is stopped")}>
      <Icon name="square" />
      <p class="grow break-words" role="status">
        <strong>{stoppedText(stop, now.value)}</strong>{" "}
        <span>{stop.reason ?? say("Messages, cards and jobs wait until you resume.")}</span>
      </p>
      <button type="button" class="button is-small no-shrink" disabled={busy.value} onClick$={goOn}>
        <Icon name="play" />
        <span>{busy.value ? say("Resuming…") : say("Resume")}</span>
      </button>
    </section>
  )
})
