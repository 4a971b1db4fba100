import { component$, type QRL, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { listText } from "../core/common/phrases.ts"
import { optionsOf } from "../core/inbox/answerRules.ts"
import type { Draft, QuestionPart as Part, SecretPlace } from "../core/inbox/inboxTypes.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"

interface QuestionPartProps {
  readonly part: Part
  /** Its short name tells it from the others. */
  readonly isOneOfSeveral: boolean
  /** Unique among all parts on the page. */
  readonly name: string
  readonly draft: Draft
  readonly onOption$: QRL<(id: string) => void>
  readonly onWords$: QRL<(words: string) => void>
  readonly onSecret$: QRL<(filled: boolean) => void>
}

const placeText = ({ name, hosts, replaces }: SecretPlace): string => {
  const use =
    hosts.length === 0
      ? say("It can't be sent to any host yet.")
      : say("It can be sent to {hosts}.", { hosts: listText(hosts) })
  const kept = replaces
    ? say("Replaces {name} on the gateway.", { name })
    : say("Saved on the gateway as {name}.", { name })
  return say("{kept} The agent doesn't see it. {use}", { kept, use })
}

/** A field for something the agent must not see; the page keeps none of it. */
const SecretField = component$<Pick<QuestionPartProps, "part" | "name" | "onSecret$">>((props) => {
  const { part, name } = props
  return (
    <div class="question-own">
      <input
        id={name}
        class="field"
        type="password"
        aria-label={say("Secret")}
        autocomplete="off"
        spellcheck={false}
        data-secret={part.id}
        onInput$={(_, element) => props.onSecret$(element.value !== "")}
      />
      {part.store !== null && <p class="approval-detail">{placeText(part.store)}</p>}
    </div>
  )
})

/** One question from an agent: its options, a field for free text, or one for a secret. */
export const QuestionPart = component$<QuestionPartProps>((props) => {
  const { part, name } = props
  const chosen = props.draft.chosen
  const reason = part.store?.reason ?? null
  const options = optionsOf(part)
  const fieldset = useSignal<HTMLElement>()

  // What was pressed and replaced by words before anything was drawn again is still pressed: nothing to draw has changed.
  useBrowserTask$(({ track }) => {
    const { chosen } = track(() => props.draft)
    for (const input of fieldset.value?.querySelectorAll<HTMLInputElement>(".question-option input") ?? [])
      input.checked = chosen.includes(input.value)
  })

  return (
    <fieldset ref={fieldset} class="question-part" data-part={part.id}>
      <legend>
        {props.isOneOfSeveral && part.header !== null && part.header !== part.text && (
          <span class="question-header">{part.header}</span>
        )}
        <span class="question-text">{part.text}</span>
      </legend>
      {reason !== null && <p class="approval-detail">{reason}</p>}
      {part.url !== null && (
        <a class="question-link" href={part.url} target="_blank" rel="noopener noreferrer">
          <span>{part.url}</span>
        </a>
      )}
      {options.map(({ id, label, description }) => (
        <label key={id} class={["question-option", chosen.includes(id) && "is-chosen"]}>
          <input
            type={part.multiple ? "checkbox" : "radio"}
            name={name}
            value={id}
            checked={chosen.includes(id)}
            onChange$={() => props.onOption$(id)}
          />
          <span>
            <span class="question-label">{label}</span>
            {description !== null && <span class="question-description">{description}</span>}
          </span>
        </label>
      ))}
      {part.secret === true && <SecretField part={part} name={name} onSecret$={props.onSecret$} />}
      {part.freeText && part.secret !== true && (
        <div class="question-own">
          {options.length > 0 && <Icon name="pencil" />}
          <input
            class="field"
            type="text"
            aria-label={options.length > 0 ? say("Your own answer") : say("Your answer")}
            placeholder={options.length > 0 ? say("Or type your own answer") : say("Your answer")}
            autocomplete="off"
            value={props.draft.words}
            onInput$={(_, element) => props.onWords$(element.value)}
          />
        </div>
      )}
    </fieldset>
  )
})
