import { $, component$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { sessionRequest } from "./sessionRequest.ts"

/** Asks before a session is emptied, which cannot be undone. */
export const ResetDialog = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const title = app.console.sessions.find(props.sessionKey)?.title ?? "the session"
  const close = $(() => sessionRequest.set(null))
  const empty = $(async () => {
    const done = await app.console.sessions.reset(props.sessionKey)
    sessionRequest.set(null)
    if (!done.ok) app.notices.show("error", done.message)
  })
  return (
    <ConfirmDialog title="Empty this session?" confirmLabel="Empty" danger={true} onConfirm$={empty} onCancel$={close}>
      <p>{`“${title}” starts anew: its messages go, and the agent forgets what was said. This cannot be undone.`}</p>
    </ConfirmDialog>
  )
})
