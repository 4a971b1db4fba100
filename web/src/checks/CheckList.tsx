import { component$ } from "@builder.io/qwik"
import type { Check } from "../core/checks/consoleChecks.ts"
import { say } from "../core/language/say.ts"
import { Icon, type IconName } from "../ui/Icon.tsx"
import "./checks.css"

const LOOKS: Readonly<Record<Check["state"], { readonly icon: IconName; readonly word: string }>> = {
  ok: { icon: "check", word: say("OK") },
  warning: { icon: "triangle-alert", word: say("Needs a look") },
  problem: { icon: "x", word: say("Not working") },
  unknown: { icon: "hourglass", word: say("Not checked yet") }
}

/** Checks with their findings and what to do. */
export const CheckList = component$<{ readonly checks: ReadonlyArray<Check> }>((props) => (
  <ul class="plain-list checks">
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
