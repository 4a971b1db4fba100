import { component$, useContext } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { ChatContext } from "../base/ChatContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { chatRequest } from "./chatRequest.ts"
import { FoundMessage } from "./FoundMessage.tsx"
import { Lightbox } from "./Lightbox.tsx"
import { ModelPanel } from "./ModelPanel.tsx"
import { RemovedDialog } from "./RemovedDialog.tsx"
import { SearchBar } from "./SearchBar.tsx"
import { StopDialog } from "./StopDialog.tsx"

/** The requested search or dialog of a conversation. */
export const ChatTools = component$(() => {
  const { sessionKey } = useContext(ChatContext)
  const chat = useServices().client.chat(sessionKey)
  const request = useReadable(chatRequest)
  const open = request.value
  if (open === null) return null
  if (open.kind === "model") return <ModelPanel sessionKey={sessionKey} />
  if (open.kind === "search") return <SearchBar chat={chat} sessionKey={sessionKey} />
  if (open.kind === "message") {
    const { query } = open
    return <FoundMessage key={query} chat={chat} query={query} />
  }
  if (open.kind === "removed") return <RemovedDialog sessionKey={sessionKey} />
  if (open.kind === "stop") return <StopDialog chat={chat} />
  const { src, alt } = open
  return <Lightbox src={src} alt={alt} />
})
