import { component$ } from "@builder.io/qwik"
import { useReadable } from "../base/useReadable.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { chatRequest } from "./chatRequest.ts"
import { FoundMessage } from "./FoundMessage.tsx"
import { Lightbox } from "./Lightbox.tsx"
import { ModelPanel } from "./ModelPanel.tsx"
import { RemovedDialog } from "./RemovedDialog.tsx"
import { SearchBar } from "./SearchBar.tsx"
import { StopDialog } from "./StopDialog.tsx"

/** The requested search or dialog of a conversation. */
export const ChatTools = component$<{ readonly chat: ChatStore; readonly sessionKey: string }>((props) => {
  const request = useReadable(chatRequest)
  const open = request.value
  if (open === null) return null
  if (open.kind === "model") return <ModelPanel sessionKey={props.sessionKey} />
  if (open.kind === "search") return <SearchBar chat={props.chat} sessionKey={props.sessionKey} />
  if (open.kind === "message") {
    const { query } = open
    return <FoundMessage key={query} chat={props.chat} query={query} />
  }
  if (open.kind === "removed") return <RemovedDialog sessionKey={props.sessionKey} />
  if (open.kind === "stop") return <StopDialog chat={props.chat} />
  const { src, alt } = open
  return <Lightbox src={src} alt={alt} />
})
