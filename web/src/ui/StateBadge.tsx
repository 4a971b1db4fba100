import { STATE_WORDS, type WorkState } from "../core/common/stateWords.ts"
import { Glyph, type IconName } from "./Icon.tsx"

const ICONS: Readonly<Record<WorkState, IconName | null>> = {
  queued: "clock",
  working: null,
  waiting: "inbox",
  denied: "shield",
  failed: "triangle-alert",
  done: "check",
  stopped: "square"
}

/** A state's icon without its label, for places that show the label elsewhere. */
export const StateMark = (props: { readonly state: WorkState }) => {
  const icon = ICONS[props.state]
  return icon === null ? <span class="spinner" aria-hidden="true" /> : <Glyph name={icon} />
}

interface StateBadgeProps {
  readonly state: WorkState
  /** Says more than the state's own word, such as how long it has been working. */
  readonly text?: string
  /** Part of a line, without a box. */
  readonly isPlain?: boolean
}

/** The state of some work as an icon and a label, the same on every screen. */
export const StateBadge = (props: StateBadgeProps) => {
  const { isPlain, state, text } = props
  return (
    <span class={[isPlain === true ? "standing" : "badge", `is-${state}`]}>
      <StateMark state={state} />
      <span>{text ?? STATE_WORDS[state]}</span>
    </span>
  )
}
