import { component$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import type { ChatStore } from "../core/chatTypes.ts"
import { suggestionsFor } from "./suggestionList.ts"

/** First messages to send with one press. */
export const Suggestions = component$<{ readonly chat: ChatStore }>((props) => {
  const app = useServices()
  const sessions = useReadable(app.console.sessions.state)
  return (
    <ul class="plain-list suggestions" aria-label="Suggestions">
      {suggestionsFor(sessions.value.rows).map((suggestion) => (
        <li key={suggestion.text}>
          <button type="button" class="suggestion" onClick$={() => props.chat.send(suggestion.text)}>
            <span class="suggestion-title">{suggestion.title}</span>
            <span class="suggestion-text">{suggestion.text}</span>
          </button>
        </li>
      ))}
    </ul>
  )
})
