import { component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { selectReadable } from "../base/selectReadable.ts"
import { useReadable } from "../base/useReadable.ts"
import { modelChoices, modelText } from "../core/composer/modelChoice.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { chatRequest } from "./chatRequest.ts"

/** The session's model and how much it thinks, as a button that opens the list of both. */
export const ModelControl = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const key = props.sessionKey
  const row = useReadable(
    useConstant(() =>
      selectReadable(app.client.sessions.state, ({ rows }) => rows.find((candidate) => candidate.key === key) ?? null)
    )
  )
  const choices = useReadable(modelChoices)
  const open = useReadable(chatRequest)
  const text = modelText(row.value, choices.value.get(key))
  const isOpen = open.value?.kind === "model"
  return (
    <button
      type="button"
      id="composer-model"
      class="composer-model"
      aria-label={say("Model and thinking: {choice}", { choice: text })}
      aria-haspopup="dialog"
      aria-expanded={isOpen ? "true" : "false"}
      title={say("Model and thinking")}
      onClick$={() => chatRequest.set(isOpen ? null : { kind: "model" })}
    >
      <span>{text}</span>
      <Icon name="chevron-right" />
    </button>
  )
})
