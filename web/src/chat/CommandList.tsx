import { component$, type QRL, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { type ArgumentValues, type Completion, completions } from "../core/composer/slashCommands.ts"
import { readModels } from "../core/sessions/models.ts"
import { thinkingChoices } from "../core/sessions/thinking.ts"
import "./commandList.css"

interface CommandListProps {
  readonly text: string
  readonly sessionKey: string
  /** The line that is marked; out of range means the last or first one. */
  readonly marked: number
  readonly onChoose$: QRL<(text: string) => void>
  /** Tells the composer what can be chosen. */
  readonly onList$: QRL<(list: ReadonlyArray<Completion>) => void>
}

/** What a begun command can become, above the composer; the composer's keys walk it. */
export const CommandList = component$<CommandListProps>((props) => {
  const app = useServices()
  const values = useSignal<ArgumentValues>(() => ({
    model: [],
    thinking: thinkingChoices(app.console.sessions.find(props.sessionKey))
  }))

  useVisibleTask$(
    async () => {
      const models = await readModels(app.console.api)
      if (models.ok) values.value = { ...values.value, model: models.value }
    },
    { strategy: "document-ready" }
  )
  const list = completions(props.text, values.value)
  useVisibleTask$(
    ({ track }) => {
      const shown = completions(
        track(() => props.text),
        track(() => values.value)
      )
      props.onList$(shown)
    },
    { strategy: "document-ready" }
  )

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
