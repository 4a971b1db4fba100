import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { addressedSession } from "../base/routes.ts"
import { useReadable } from "../base/useReadable.ts"
import { useMarkdown } from "../ui/markdown/useMarkdown.ts"
import { ChatPane } from "./ChatPane.tsx"
import "./chat.css"
import "../ui/markdown/markdown.css"

/** The conversation of the addressed session, or of the last used one. */
export const ChatScreen = component$(() => {
  const app = useServices()
  useMarkdown()
  const location = useReadable(app.router.location)
  const activeKey = useReadable(app.client.sessions.activeKey)

  const sessionKey = addressedSession(location.value) ?? activeKey.value
  return <ChatPane key={sessionKey} sessionKey={sessionKey} />
})
