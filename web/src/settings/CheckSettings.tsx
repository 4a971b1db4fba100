import { component$, useSignal } from "@builder.io/qwik"
import { CheckList } from "../checks/CheckList.tsx"
import { useChecks } from "../checks/useChecks.ts"
import { openChecks } from "../core/checks/consoleChecks.ts"

/** What has to be right for everything to work, as it is now. */
export const CheckSettings = component$(() => {
  const { checks, complete, ask } = useChecks()
  const asking = useSignal(false)
  const open = openChecks(checks.value).length
  const sum = open === 0 ? "Nothing needs your attention." : `${open} of ${checks.value.length} need attention.`
  return (
    <div class="settings-page">
      <div class="settings-bar">
        <p role="status">{complete.value ? sum : "Looking at everything…"}</p>
        <button
          type="button"
          class="button is-small"
          disabled={asking.value}
          onClick$={async () => {
            asking.value = true
            await ask()
            asking.value = false
          }}
        >
          {asking.value ? "Checking…" : "Check again"}
        </button>
      </div>
      <CheckList checks={checks.value} />
    </div>
  )
})
