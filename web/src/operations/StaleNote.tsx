import { component$, type QRL } from "@builder.io/qwik"
import { Icon } from "../ui/Icon.tsx"

interface StaleNoteProps {
  /** Why the last question failed. */
  readonly problem: string
  readonly onRetry$: QRL<() => unknown>
}

/** Says that what is shown may be out of date, and why; what is shown stays. */
export const StaleNote = component$<StaleNoteProps>((props) => (
  <div class="stale-note" role="status">
    <Icon name="triangle-alert" />
    <p>{`This may be out of date. ${props.problem}`}</p>
    <button type="button" class="button is-small" onClick$={() => props.onRetry$()}>
      Try again
    </button>
  </div>
))
