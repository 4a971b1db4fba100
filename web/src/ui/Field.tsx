import { component$, Slot } from "@builder.io/qwik"
import "./fields.css"

interface FieldProps {
  readonly label: string
  /** The `id` of the control in the slot; its `aria-describedby` is this with `-hint`. */
  readonly for: string
  /** How to fill it in. */
  readonly hint?: string
  /** What is wrong with the current value. */
  readonly error?: string | null
}

/** A label, its control (the slot, with class `field`), and a line with a hint or an error. */
export const Field = component$<FieldProps>((props) => {
  const error = props.error ?? null
  return (
    <div class="field-row">
      <label for={props.for}>{props.label}</label>
      <Slot />
      <p id={`${props.for}-hint`} class={["field-hint", error !== null && "is-error"]} aria-live="polite">
        {error ?? props.hint}
      </p>
    </div>
  )
})
