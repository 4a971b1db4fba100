import { component$, useContext } from "@builder.io/qwik"
import { useAgentOf } from "../agents/useAgentOf.ts"
import { useServices } from "../base/AppContext.ts"
import { ChatContext } from "../base/ChatContext.ts"
import { createSession } from "../base/sessionRequest.ts"
import { usePart } from "../base/usePart.ts"
import { useReadable } from "../base/useReadable.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"
import { AgentFace } from "../ui/AgentFace.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import "../checks/checks.css"
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

/** Suggestions for a conversation without messages, or how to continue where there is no session. */
export const EmptyChat = component$<{ readonly chat: ChatStore; readonly gone: "deleted" | "unknown" | null }>(
  (props) => {
    const app = useServices()
    const agent = useAgentOf(useContext(ChatContext).sessionKey)
    // Only empty conversations need the checks, whose place is kept until they are there.
    const arriving = usePart(() => import("../checks/CheckList.tsx"))
    const { part } = arriving.value
    if (props.gone !== null)
      return (
        <ErrorState
          isMissing
          title={
            props.gone === "deleted" ? say("This conversation was deleted") : say("There's no session at this address")
          }
          text={
            props.gone === "deleted"
              ? say("Send a message to start a new one.")
              : say("It may have been deleted, or the address isn't complete.")
          }
          action={say("New session")}
          onRetry$={() => createSession(app)}
        />
      )
    return (
      <div class="empty">
        <AgentFace agent={agent.value} />
        <h2>{say("What should {agent} work on?", { agent: agent.value.name })}</h2>
        <p>{say("Ask a question, hand over a task, or start with one of these.")}</p>
        <Suggestions chat={props.chat} />
        <div class="first-run-place">{part !== null && <part.FirstRun />}</div>
      </div>
    )
  }
)
