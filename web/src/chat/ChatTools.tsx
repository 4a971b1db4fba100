import { component$ } from "@builder.io/qwik"
import { useReadable } from "../app/useReadable.ts"
import type { ChatStore } from "../core/chatTypes.ts"
import { chatRequest } from "./chatRequest.ts"
import { Lightbox } from "./Lightbox.tsx"
import { ModelDialog } from "./ModelDialog.tsx"
import { SearchBar } from "./SearchBar.tsx"

/** The search or dialog of a conversation that was asked for. */
export const ChatTools = component$<{ readonly chat: ChatStore; readonly sessionKey: string }>((props) => {
  const request = useReadable(chatRequest)
  const open = request.value
  if (open === null) return null
  if (open.kind === "model") return <ModelDialog sessionKey={props.sessionKey} />
  if (open.kind === "search") return <SearchBar chat={props.chat} />
  const { src, alt } = open
  return <Lightbox src={src} alt={alt} />
})
