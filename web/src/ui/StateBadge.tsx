import { STATE_WORDS, type WorkState } from "../core/common/stateWords.ts"
import { Glyph, type IconName } from "./Icon.tsx"

const ICONS: Readonly<Record<Exclude<WorkState, "working" | "waiting">, IconName>> = {
  queued: "clock",
  denied: "shield",
  failed: "triangle-alert",
  done: "check",
  stopped: "square"
}

/** A state's mark without its label, for places that show the label elsewhere: a lamp as long as it isn't over. */
export const StateMark = (props: { readonly state: WorkState }) => {
  const { state } = props
  if (state === "working") return <span class="lamp is-lit" aria-hidden="true" />
  if (state === "waiting") return <span class="lamp is-blinking" aria-hidden="true" />
  const icon = ICONS[state]
  return <Glyph name={icon} />
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
