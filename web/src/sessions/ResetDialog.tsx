import { $, component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import { keepRemoved } from "../core/conversation/removedParts.ts"
import { say } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"

/** Asks before clearing a session, which can't be undone. */
export const ResetDialog = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const title = app.client.sessions.find(props.sessionKey)?.title ?? say("the session")
  const close = $(() => sessionRequest.set(null))
  const empty = $(async () => {
    const open = sessionRequest.get()
    const chat = app.client.chat(props.sessionKey)
    if (chat.state.get().status !== "ready") await chat.resync()
    const { items } = chat.state.get()
    const clear = open?.kind === "reset" ? open.clear : undefined
    const done = clear === undefined ? await app.client.sessions.reset(props.sessionKey) : { ok: true as const }
    if (done.ok) keepRemoved(app.client.storage, props.sessionKey, Date.now(), items)
    sessionRequest.set(null)
    clear?.()
    if (!done.ok) app.notices.show("error", done.message)
  })
  return (
    <ConfirmDialog
      title={say("Clear this session?")}
      confirmLabel={say("Clear")}
      danger={true}
      onConfirm$={empty}
      onCancel$={close}
    >
      <p>
        {say(
          "“{session}” starts over: its messages are removed and the agent forgets what was said. You can't undo this.",
          { session: title }
        )}
      </p>
      <p>
        {say(
          "This browser keeps a copy of the messages shown here, under “Removed messages” in the conversation's menu."
        )}
      </p>
    </ConfirmDialog>
  )
})
