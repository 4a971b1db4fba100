import { component$, type QRL, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { type ArgumentValues, type Complete, completions } from "../core/composer/slashCommands.ts"
import { readModels } from "../core/sessions/models.ts"
import { thinkingChoices } from "../core/sessions/thinking.ts"
import "./commandList.css"

interface CommandListProps {
  readonly text: string
  readonly sessionKey: string
  /** The highlighted line; out of range means the last or first one. */
  readonly marked: number
  readonly onChoose$: QRL<(text: string) => void>
  /** Gives the composer what completes a text, so that its keys choose from the same lines. */
  readonly onComplete$: QRL<(complete: Complete) => void>
}

/** Completions of a command being typed, above the composer; the composer's keys move through it. */
export const CommandList = component$<CommandListProps>((props) => {
  const app = useServices()
  const values = useSignal<ArgumentValues>(() => ({
    model: [],
    thinking: thinkingChoices(app.client.sessions.find(props.sessionKey))
  }))

  useVisibleTask$(
    async () => {
      const models = await readModels(app.client.api)
      if (!models.ok) return
      values.value = { ...values.value, model: models.value.map(({ id, label }) => ({ id, name: label })) }
    },
    { strategy: "document-ready" }
  )
  useVisibleTask$(
    ({ track }) => {
      const known = track(values)
      return props.onComplete$((text) => completions(text, known))
    },
    { strategy: "document-ready" }
  )

  const list = completions(props.text, values.value)
  if (list.length === 0) return null
  const at = ((props.marked % list.length) + list.length) % list.length
  return (
    <div id="command-list" class="command-list" role="listbox" tabIndex={-1} aria-label="Commands">
      {list.map(({ text, label, hint }, index) => (
        <div
          key={label}
          id={`command-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at ? "true" : "false"}
          class={["command", index === at && "is-marked"]}
          preventdefault:mousedown
          onClick$={() => props.onChoose$(text)}
        >
          <span class="command-name">{label}</span>
          <span class="command-hint">{hint}</span>
        </div>
      ))}
    </div>
  )
})
