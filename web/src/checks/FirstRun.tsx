import { component$ } from "@builder.io/qwik"
import { openChecks } from "../core/checks/consoleChecks.ts"
import { say, sayCount } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { CheckList } from "./CheckList.tsx"
import { useChecks } from "./useChecks.ts"

/** Whether everything the console needs is in place, in one line; open issues are listed below it. */
export const FirstRun = component$(() => {
  const { checks, complete } = useChecks()
  if (!complete.value) return null
  const open = openChecks(checks.value)
  if (open.length === 0) {
    return (
      <p class="soft small first-run is-fine">
        <Icon name="check" />
        <span>{say("Everything is set up.")}</span>
      </p>
    )
  }
  return (
    <details class="soft small first-run">
      <summary>
        <Icon name="triangle-alert" />
        <span>{sayCount(open.length, "One thing needs a look", "{count} things need a look")}</span>
      </summary>
      <CheckList checks={open} />
      <p>
        <a href="/settings/checks">{say("All checks")}</a>
      </p>
    </details>
  )
})
