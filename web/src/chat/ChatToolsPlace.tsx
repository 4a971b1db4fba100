import { component$, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { followPart } from "../base/followPart.ts"
import { useRequestedPart } from "../base/usePart.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { previewRequest } from "../ui/preview/previewRequest.ts"
import { chatRequest } from "./chatRequest.ts"

interface ChatToolsProps {
  readonly chat: ChatStore
  readonly sessionKey: string
}

/** Where a conversation's search and dialogs are drawn; their chunk loads on first use. */
export const ChatToolsPlace = component$<ChatToolsProps>((props) => {
  const app = useServices()
  const { asked, part } = useRequestedPart(chatRequest, () => import("./ChatTools.tsx"))
  const preview = useRequestedPart(previewRequest, () => import("../ui/preview/PreviewPanel.tsx"))

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
        previewRequest.set(null)
        leave()
        stop?.()
      })
    },
    { strategy: "document-ready" }
  )

  const Tools = asked.value === null ? null : part.value?.ChatTools
  const Preview = preview.asked.value === null ? null : preview.part.value?.PreviewPanel
  return (
    <>
      {Tools != null && <Tools chat={props.chat} sessionKey={props.sessionKey} />}
      {Preview != null && <Preview />}
    </>
  )
})
