import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"
import { suggestionsFor } from "./suggestionList.ts"

/** First messages to send with one click. */
export const Suggestions = component$<{ readonly chat: ChatStore }>((props) => {
  const app = useServices()
  const sessions = useReadable(app.client.sessions.state)
  return (
    <ul class="plain-list stack gap-3 full-width suggestions" aria-label={say("Suggestions")}>
      {suggestionsFor(sessions.value.rows).map((suggestion) => (
        <li key={suggestion.text}>
          <button
            type="button"
            class="stack full-width surface suggestion"
            onClick$={() => props.chat.send(suggestion.words ?? suggestion.text)}
          >
            <span class="strong">{suggestion.title}</span>
            <span class="soft small">{suggestion.text}</span>
          </button>
        </li>
      ))}
    </ul>
  )
})
