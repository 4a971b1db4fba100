import { component$, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { followPart } from "../base/followPart.ts"
import { useRequestedPart } from "../base/usePart.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { chatRequest } from "./chatRequest.ts"

interface ChatToolsProps {
  readonly chat: ChatStore
  readonly sessionKey: string
}

/** Where a conversation's search and dialogs are drawn; their chunk loads on first use. */
export const ChatToolsPlace = component$<ChatToolsProps>((props) => {
  const app = useServices()
  const { asked, part } = useRequestedPart(chatRequest, () => import("./ChatTools.tsx"))

  useVisibleTask$(
    ({ cleanup }) => {
      let stop: (() => void) | undefined
      const leave = followPart(
        app.client,
        () => import("./followChat.ts"),
        (part) => {
          stop = part.followChat(app, props.chat, props.sessionKey)
        }
      )
      cleanup(() => {
        chatRequest.set(null)
        leave()
        stop?.()
      })
    },
    { strategy: "document-ready" }
  )

  if (asked.value === null || part.value === null) return null
  const { ChatTools } = part.value
  return <ChatTools chat={props.chat} sessionKey={props.sessionKey} />
})
