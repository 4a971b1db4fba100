import { $, component$, useContext, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { ChatContext } from "../base/ChatContext.ts"
import { putBack } from "../base/putBack.ts"
import { useReadable } from "../base/useReadable.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { say, sayCount } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { chatRequest } from "./chatRequest.ts"
import { heldIn } from "./delivery/QueueActions.ts"
import { FoundMessage } from "./FoundMessage.tsx"
import { ModelPanel } from "./ModelPanel.tsx"
import { SearchBar } from "./SearchBar.tsx"

/** Asks what becomes of the messages behind a response that is to be stopped. */
const StopDialog = component$<{ readonly chat: ChatStore }>((props) => {
  const app = useServices()
  const busy = useSignal(false)
  const close = $(() => chatRequest.set(null))
  const stop = $(async (keepsQueue: boolean) => {
    const { chat } = props
    busy.value = true
    for (const { key } of keepsQueue ? [] : heldIn(chat)) {
      const done = await chat.takeBack(key)
      if (done.ok) putBack(app, chat.state.get().sessionKey, done.value)
      else app.notices.show("error", done.message)
    }
    const done = await chat.abort()
    if (!done.ok) app.notices.show("error", done.message)
    close()
  })
  const count = heldIn(props.chat).length
  return (
    <Dialog title={say("Stop the response?")} size="small" onClose$={close}>
      <p>
        {sayCount(
          count,
          "A message is waiting behind it. It goes to the agent as soon as the response has stopped, unless you take it back.",
          "{count} messages are waiting behind it. They go to the agent as soon as the response has stopped, unless you take them back."
        )}
      </p>
      <button q:slot="foot" type="button" class="button" disabled={busy.value} onClick$={close}>
        {say("Cancel")}
      </button>
      <button q:slot="foot" type="button" class="button" disabled={busy.value} onClick$={() => stop(false)}>
        {say("Stop and take back")}
      </button>
      <button
        q:slot="foot"
        type="button"
        class="button is-primary"
        data-autofocus
        disabled={busy.value}
        onClick$={() => stop(true)}
      >
        {say("Stop, keep the queue")}
      </button>
    </Dialog>
  )
})

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
  if (open.kind === "stop") return <StopDialog chat={chat} />
  const { src, alt } = open
  return <Lightbox src={src} alt={alt} />
})
