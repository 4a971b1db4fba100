import { component$, type QRL, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"

interface AgentPickerProps {
  readonly options: ReadonlyArray<{ readonly id: string; readonly label: string }>
  /** Id of the agent shown; empty while it is not known. */
  readonly current: string
  readonly onChoose$: QRL<(id: string) => void>
}

/** Chooses whose knowledge is shown. */
export const AgentPicker = component$<AgentPickerProps>((props) => {
  const field = useSignal<HTMLSelectElement>()

  // The address can change the choice too, for example with the back button.
  useVisibleTask$(
    ({ track }) => {
      const current = track(() => props.current)
      track(() => props.options)
      if (field.value !== undefined) field.value.value = current
    },
    { strategy: "document-ready" }
  )

  return (
    <div class="agent-picker">
      <label for="knowledge-agent">{say("Agent")}</label>
      <select ref={field} id="knowledge-agent" class="field" onChange$={(_, select) => props.onChoose$(select.value)}>
        {props.options.map(({ id, label }) => (
          <option key={id} value={id} selected={id === props.current}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
})
