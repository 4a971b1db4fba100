import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { putBack } from "../base/putBack.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { say, sayCount } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { chatRequest } from "./chatRequest.ts"
import { heldIn } from "./delivery/QueueActions.ts"

/** Asks what becomes of the messages behind a response that is to be stopped. */
export const StopDialog = component$<{ readonly chat: ChatStore }>((props) => {
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
