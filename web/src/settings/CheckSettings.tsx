import { $, component$, useSignal } from "@builder.io/qwik"
import { useCommands } from "../base/useCommands.ts"
import { CheckList } from "../checks/CheckList.tsx"
import { useChecks } from "../checks/useChecks.ts"
import { attentionText, openChecks } from "../core/checks/consoleChecks.ts"
import { say } from "../core/language/say.ts"

/** Everything that must be right for the console to work, as it is now. */
export const CheckSettings = component$(() => {
  const { checks, complete, ask } = useChecks()
  const asking = useSignal(false)
  const again = $(async () => {
    asking.value = true
    await ask()
    asking.value = false
  })
  useCommands(() => [
    {
      id: "checks.again",
      label: say("Run all checks again"),
      group: say("Checks"),
      when: () => !asking.value,
      run: again
    }
  ])
  const open = openChecks(checks.value).length
  const sum = attentionText(open, checks.value.length)
  return (
    <div class="settings-page">
      <div class="row wrap space-between gap-3">
        <p role="status">{complete.value ? sum : say("Checking…")}</p>
        <button type="button" class="button is-small" disabled={asking.value} onClick$={again}>
          {asking.value ? say("Checking…") : say("Check again")}
        </button>
      </div>
      <CheckList checks={checks.value} />
    </div>
  )
})
