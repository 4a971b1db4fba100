import { component$, type QRL } from "@builder.io/qwik"
import { minutesText } from "../core/board/boardText.ts"
import { Field } from "../ui/Field.tsx"

interface MinutesFieldProps {
  readonly id: string
  readonly label: string
  /** The label with the unit of what is typed. */
  readonly unit: string
  /** Invites to enter something. */
  readonly invite: string
  /** Reads as a value, in hours and minutes, until it's changed. */
  readonly isQuiet: boolean
  readonly value: number | null
  readonly onChange$: QRL<(minutes: number | null) => unknown>
}

const minutesOf = (text: string): number | null => {
  const minutes = Number(text)
  return text.trim() === "" || !Number.isFinite(minutes) || minutes < 0 ? null : minutes
}

/** A length of time, entered in minutes. */
export const MinutesField = component$<MinutesFieldProps>((props) => (
  <Field label={props.isQuiet ? props.label : props.unit} for={props.id}>
    <div class={["minutes-field", props.isQuiet && "is-quiet"]}>
      <input
        id={props.id}
        class="field"
        type="number"
        inputMode="numeric"
        min="0"
        step="any"
        aria-label={props.unit}
        placeholder={props.isQuiet ? props.invite : "–"}
        value={props.value ?? ""}
        onInput$={(_, element) => props.onChange$(minutesOf(element.value))}
      />
      {props.isQuiet && props.value !== null && <span aria-hidden="true">{minutesText(props.value)}</span>}
    </div>
  </Field>
))
