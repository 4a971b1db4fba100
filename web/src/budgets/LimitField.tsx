import { component$, type Signal } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { Field } from "../ui/Field.tsx"

interface LimitFieldProps {
  readonly id: string
  readonly hint: string
  /** What was typed. */
  readonly limit: Signal<string>
  readonly problem: string | null
}

/** What something new may cost, in the form that makes it. */
export const LimitField = component$<LimitFieldProps>((props) => {
  const { hint, id, limit, problem } = props
  return (
    <Field label={say("Limit in dollars (optional)")} for={id} hint={hint} error={problem}>
      <input
        id={id}
        class="field"
        inputMode="decimal"
        autocomplete="off"
        maxLength={20}
        placeholder="5.00"
        aria-describedby={`${id}-hint`}
        aria-invalid={problem === null ? undefined : "true"}
        bind:value={limit}
      />
    </Field>
  )
})
