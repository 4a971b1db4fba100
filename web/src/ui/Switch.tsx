import { component$, type QRL, useId } from "@builder.io/qwik"
import "./fields.css"

interface SwitchProps {
  readonly label: string
  /** What it means, in a sentence. */
  readonly hint?: string
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange$: QRL<(checked: boolean) => unknown>
}

/** Something that is on or off, at once and without a save button. */
export const Switch = component$<SwitchProps>((props) => {
  const id = useId()
  return (
    <div class="row gap-4 switch-row">
      <div class="grow switch-text">
        <label for={id}>{props.label}</label>
        <p class="soft small" id={`${id}-hint`}>
          {props.hint}
        </p>
      </div>
      <input
        id={id}
        class="switch"
        type="checkbox"
        role="switch"
        checked={props.checked}
        aria-checked={props.checked ? "true" : "false"}
        disabled={props.disabled === true}
        aria-describedby={`${id}-hint`}
        onChange$={(_, element) => props.onChange$(element.checked)}
      />
    </div>
  )
})
