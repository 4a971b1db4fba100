import { component$ } from "@builder.io/qwik"
import { type Check, openChecks } from "../core/checks/consoleChecks.ts"
import { below } from "../core/common/basePath.ts"
import { say, sayCount } from "../core/language/say.ts"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { useChecks } from "./useChecks.ts"
import "./checks.css"

const LOOKS: Readonly<Record<Check["state"], { readonly icon: IconName; readonly word: string }>> = {
  ok: { icon: "check", word: say("OK") },
  warning: { icon: "triangle-alert", word: say("Needs a look") },
  problem: { icon: "x", word: say("Not working") },
  unknown: { icon: "hourglass", word: say("Not checked yet") }
}

/** Checks with their findings and what to do. */
export const CheckList = component$<{ readonly checks: ReadonlyArray<Check> }>((props) => (
  <ul class="plain-list stack gap-2 checks">
    {props.checks.map((check, position) => {
      const { icon, word } = LOOKS[check.state]
      return (
        <li
          key={`${check.id} ${position}`}
          class={["check", `is-${check.state}`]}
          data-check={check.id}
          data-state={check.state}
        >
          <Icon name={icon} />
          <div>
            <p class="strong">
              <span>{check.label}</span>
              <span class="visually-hidden">{`: ${word}`}</span>
            </p>
            <p>{check.text}</p>
            {check.advice !== null && <p class="check-advice">{check.advice}</p>}
          </div>
        </li>
      )
    })}
  </ul>
))

/** What the console still needs, in one line that opens; nothing once all is in place. */
export const FirstRun = component$(() => {
  const { checks, complete } = useChecks()
  if (!complete.value) return null
  const open = openChecks(checks.value)
  if (open.length === 0) return null
  return (
    <details class="soft small first-run">
      <summary>
        <Icon name="triangle-alert" />
        <span>{sayCount(open.length, "One thing needs a look", "{count} things need a look")}</span>
      </summary>
      <CheckList checks={open} />
      <p>
        <a href={below("/settings/checks")}>{say("All checks")}</a>
      </p>
    </details>
  )
})
