import { component$ } from "@builder.io/qwik"
import { STATE_WORDS, type WorkState } from "../core/common/stateWords.ts"
import { Icon, type IconName } from "./Icon.tsx"

const LOOKS: Readonly<Record<WorkState, { readonly tone: string; readonly icon: IconName | null }>> = {
  queued: { tone: "is-quiet", icon: "clock" },
  working: { tone: "is-good", icon: null },
  waiting: { tone: "is-warning", icon: "hourglass" },
  denied: { tone: "is-warning", icon: "shield" },
  failed: { tone: "is-bad", icon: "triangle-alert" },
  done: { tone: "is-good", icon: "check" }
}

interface StateBadgeProps {
  readonly state: WorkState
  /** Says more than the state's own word, such as how long it has been working. */
  readonly text?: string
}

/** How work stands, as a mark and a word that are the same on every screen. */
export const StateBadge = component$<StateBadgeProps>((props) => {
  const { tone, icon } = LOOKS[props.state]
  return (
    <span class={["badge", tone]}>
      {icon === null ? <span class="spinner" aria-hidden="true" /> : <Icon name={icon} />}
      <span>{props.text ?? STATE_WORDS[props.state]}</span>
    </span>
  )
})
