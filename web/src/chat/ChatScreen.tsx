import { component$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { addressedSession } from "../app/routes.ts"
import { useReadable } from "../app/useReadable.ts"
import { ChatPane } from "./ChatPane.tsx"
import { useMarkdown } from "./useMarkdown.ts"
import "./chat.css"
import "./markdown.css"

/** The conversation of the session the address names, else of the session used last. */
export const ChatScreen = component$(() => {
  const app = useServices()
  useMarkdown()
  const location = useReadable(app.router.location)
  const activeKey = useReadable(app.console.sessions.activeKey)

  const sessionKey = addressedSession(location.value) ?? activeKey.value
  return <ChatPane key={sessionKey} sessionKey={sessionKey} />
})
