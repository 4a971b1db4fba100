import { component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { startsCommand } from "../core/composer/composerRules.ts"
import { createFileLookup, type FileLookup } from "../core/composer/FileLookup.ts"
import { completeMention, mentionAt } from "../core/composer/mentions.ts"
import { type ArgumentValues, type Complete, type Completion, completions } from "../core/composer/slashCommands.ts"
import { say } from "../core/language/say.ts"
import { readModels, thinkingChoices } from "../core/sessions/sessionChoices.ts"

interface CommandListProps {
  readonly text: string
  readonly caret: number
  readonly sessionKey: string
  /** The highlighted line; out of range means the last or first one. */
  readonly marked: number
  readonly onChoose$: QRL<(completion: Completion) => void>
  /** Gives the composer what completes a text, so that its keys choose from the same lines. */
  readonly onComplete$: QRL<(complete: Complete) => void>
}

/** The lines for what is being typed: a command, or a path in a message. */
const linesFor = (
  text: string,
  caret: number,
  values: ArgumentValues,
  lookup: FileLookup
): ReadonlyArray<Completion> => {
  const begun = startsCommand(text) ? null : mentionAt(text, caret)
  return begun === null ? completions(text, values) : completeMention(text, caret, lookup.of(begun.query).entries)
}

/** Completions of a command or a path being typed, above the composer; the composer's keys move through it. */
export const CommandList = component$<CommandListProps>((props) => {
  const app = useServices()
  const values = useSignal<ArgumentValues>(() => ({
    model: [],
    thinking: thinkingChoices(app.client.sessions.find(props.sessionKey))
  }))

  useBrowserTask$(async () => {
    const models = await readModels(app.client.api)
    if (!models.ok) return
    values.value = { ...values.value, model: models.value.map(({ id, label }) => ({ id, name: label })) }
  })
  const lookup = useConstant(() => createFileLookup(app.client.api, props.sessionKey))
  const found = useReadable(lookup.found)
  useBrowserTask$(({ cleanup }) => cleanup(() => lookup.dispose()))
  useBrowserTask$(({ track }) => {
    const begun = mentionAt(
      track(() => props.text),
      track(() => props.caret)
    )
    if (begun !== null) lookup.want(begun.query)
  })
  useBrowserTask$(({ track }) => {
    const known = track(values)
    track(found)
    return props.onComplete$((text, caret) => linesFor(text, caret, known, lookup))
  })

  // Read here, so that each answer draws the list anew.
  const answers = found.value
  const begun = startsCommand(props.text) ? null : mentionAt(props.text, props.caret)
  const problem = begun === null || answers === 0 ? null : lookup.of(begun.query).problem
  const list = linesFor(props.text, props.caret, values.value, lookup)
  if (problem !== null && list.length === 0)
    return (
      <p class="surface command-list soft small command-problem" role="status">
        {problem}
      </p>
    )
  if (list.length === 0) return null
  const at = ((props.marked % list.length) + list.length) % list.length
  return (
    <div
      id="command-list"
      class="surface command-list"
      role="listbox"
      tabIndex={-1}
      aria-label={begun === null ? say("Commands") : say("Files")}
    >
      {list.map((completion, index) => (
        <div
          key={completion.label}
          id={`command-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at ? "true" : "false"}
          class={["command", index === at && "is-marked"]}
          preventdefault:mousedown
          onClick$={() => props.onChoose$(completion)}
        >
          <span class="small strong mono break-words">{completion.label}</span>
          <span class="soft small">{completion.hint}</span>
        </div>
      ))}
    </div>
  )
})
