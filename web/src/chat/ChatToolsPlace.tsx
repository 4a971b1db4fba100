import { type Component, component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import type { ChatStore } from "../core/chatTypes.ts"
import { chatRequest } from "./chatRequest.ts"

interface ChatToolsProps {
  readonly chat: ChatStore
  readonly sessionKey: string
}

/** Where a conversation's search and dialogs are drawn; their chunk comes with their first use. */
export const ChatToolsPlace = component$<ChatToolsProps>((props) => {
  const app = useServices()
  const request = useReadable(chatRequest)
  const parts = useSignal<{ readonly Tools: Component<ChatToolsProps> } | null>(null)

  useVisibleTask$(
    ({ track }) => {
      if (track(() => request.value) === null || parts.value !== null) return
      import("./ChatTools.tsx").then(
        ({ ChatTools }) => {
          parts.value = { Tools: ChatTools }
        },
        () => {
          chatRequest.set(null)
          app.notices.show("error", "This could not be loaded. Reload the page and try again.")
        }
      )
    },
    { strategy: "document-ready" }
  )
  useVisibleTask$(({ cleanup }) => cleanup(() => chatRequest.set(null)), { strategy: "document-ready" })

  if (request.value === null || parts.value === null) return null
  const { Tools } = parts.value
  return <Tools chat={props.chat} sessionKey={props.sessionKey} />
})
