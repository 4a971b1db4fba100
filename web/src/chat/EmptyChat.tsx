import { component$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import { FirstRunPlace } from "../checks/FirstRunPlace.tsx"
import type { ChatStore } from "../core/chatTypes.ts"
import { Suggestions } from "./Suggestions.tsx"

/** What to try in a conversation that has no messages yet. */
export const EmptyChat = component$<{ readonly chat: ChatStore }>((props) => {
  const app = useServices()
  const defaults = useReadable(app.console.connectDefaults)
  return (
    <div class="empty">
      <img src="/icon.svg" alt="" width={48} height={48} />
      <h2>{`Talk to ${defaults.value?.agentName ?? "your agent"}`}</h2>
      <p>Ask a question, hand over a task, or begin with one of these.</p>
      <Suggestions chat={props.chat} />
      <FirstRunPlace />
    </div>
  )
})
