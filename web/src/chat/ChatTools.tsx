import { $, component$, useContext } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { ChatContext } from "../base/ChatContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { chatRequest } from "./chatRequest.ts"
import { FoundMessage } from "./FoundMessage.tsx"
import { ModelPanel } from "./ModelPanel.tsx"
import { RemovedDialog } from "./RemovedDialog.tsx"
import { SearchBar } from "./SearchBar.tsx"
import { StopDialog } from "./StopDialog.tsx"

/** A picture of the conversation at its full size. */
const Lightbox = component$<{ readonly src: string; readonly alt: string }>((props) => {
  const close = $(() => chatRequest.set(null))
  return (
    <Dialog title={props.alt === "" ? say("Picture") : props.alt} size="large" onClose$={close}>
      <img class="lightbox" src={props.src} alt={props.alt} />
      <a q:slot="foot" class="button" href={props.src} download={props.alt === "" ? "picture" : props.alt}>
        {say("Save")}
      </a>
    </Dialog>
  )
})

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
