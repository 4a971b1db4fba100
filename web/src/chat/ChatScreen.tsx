import { component$ } from "@builder.io/qwik"
import { keyParts, PRIMARY } from "../../../src/contract/qualifiedKey.ts"
import { useServices } from "../base/AppContext.ts"
import { addressedSession } from "../base/routes.ts"
import { useReadable } from "../base/useReadable.ts"
import { useMarkdown } from "../ui/markdown/useMarkdown.ts"
import { ChatPane } from "./ChatPane.tsx"
import "./chat.css"
import { say } from "../core/language/say.ts"

/** The conversation of the addressed session, or of the last used one. */
export const ChatScreen = component$(() => {
  const app = useServices()
  useMarkdown()
  const location = useReadable(app.router.location)
  const activeKey = useReadable(app.client.sessions.activeKey)

  const gateways = useReadable(app.client.gateways)

  const sessionKey = addressedSession(location.value) ?? activeKey.value
  const { gatewayId } = keyParts(sessionKey)
  // Its gateway is connected to once it's known that there are several.
  if (gatewayId !== PRIMARY && !gateways.value?.some(({ id }) => id === gatewayId))
    return (
      <p class="chat-missing">
        {gateways.value === null ? say("Loading…") : say("This session's gateway was removed.")}
      </p>
    )
  return <ChatPane key={sessionKey} sessionKey={sessionKey} />
})
