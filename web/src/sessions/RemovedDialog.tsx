import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { clockTime } from "../core/common/timeText.ts"
import { fileNameOf } from "../core/conversation/exportMarkdown.ts"
import { messagesText } from "../core/conversation/messagesIn.ts"
import { forgetRemoved, type RemovedPart, removedParts, restoreRemoved } from "../core/conversation/removedParts.ts"
import { createVersionsStore, type VersionsStore } from "../core/conversation/versions/VersionsStore.ts"
import { say } from "../core/language/say.ts"
import { titleOfKey } from "../core/sessions/sessionRows.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { saveFile } from "../ui/saveFile.ts"
import "../ui/fold.css"

/** All versions of a conversation that the gateway keeps, also those that begin at no message on screen. */
const OtherVersions = component$<{ readonly store: VersionsStore; readonly onDone$: QRL<() => void> }>((props) => {
  const app = useServices()
  const { store } = props
  const known = useReadable(store.known)
  const busy = useSignal(false)
  const go = $(async (leaf: string) => {
    busy.value = true
    const done = await store.switchTo(leaf)
    busy.value = false
    if (done.ok) props.onDone$()
    else app.notices.show("error", done.message)
  })
  const { tips } = known.value
  if (tips.length === 0) return null
  return (
    <section aria-label={say("Other versions")}>
      <p>
        {say("The gateway keeps the versions of this conversation from before a message was edited or regenerated.")}
      </p>
      <ul class="plain-list stack gap-2">
        {tips.map(({ leaf, headline, messages, at }) => (
          <li key={leaf} class="row gap-3">
            <p class="grow">{`${headline === "" ? say("No text") : `“${headline}”`} (${messagesText(messages)}, ${clockTime(at, Date.now())})`}</p>
            <button type="button" class="button is-small" disabled={busy.value} onClick$={() => go(leaf)}>
              {say("Switch to it")}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
})

/** What was removed from a session in this browser, by editing an earlier message or by clearing it. */
export const RemovedDialog = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const parts = useSignal(() => removedParts(app.client.storage, props.sessionKey))
  const deleted = useSignal<RemovedPart | null>(null)
  const versions = useConstant(() => {
    const { client } = app
    return createVersionsStore(client.linkOf(props.sessionKey), client.chat(props.sessionKey))
  })
  useBrowserTask$(({ cleanup }) => cleanup(() => versions.dispose()))
  const close = $(() => sessionRequest.set(null))
  const save = $((part: RemovedPart) => {
    const title = app.client.sessions.find(part.sessionKey)?.title ?? titleOfKey(part.sessionKey)
    saveFile(fileNameOf(say("{title} removed", { title })), part.text, "text/markdown")
  })
  const refresh = $(() => {
    parts.value = removedParts(app.client.storage, props.sessionKey)
  })
  const forget = $((part: RemovedPart) => {
    forgetRemoved(app.client.storage, part)
    deleted.value = part
    refresh()
  })
  const restore = $(() => {
    const part = deleted.value
    if (part === null) return
    if (!restoreRemoved(app.client.storage, part))
      app.notices.show("error", say("There's no room for this copy in the browser any more."))
    deleted.value = null
    refresh()
  })
  return (
    <Dialog title={say("Removed messages")} size="large" onClose$={close}>
      <OtherVersions store={versions} onDone$={close} />
      {deleted.value !== null && (
        <div class="row space-between soft small" role="status">
          <p>{say("Deleted the copy of {messages}.", { messages: messagesText(deleted.value.messages) })}</p>
          <button type="button" class="button is-small" onClick$={restore}>
            {say("Undo")}
          </button>
        </div>
      )}
      {parts.value.length === 0 ? (
        <p>{say("No deleted messages.")}</p>
      ) : (
        <p>{say("Only this browser has these copies. It keeps the newest ones.")}</p>
      )}
      {parts.value.map((part, index) => {
        const { text } = part
        return (
          <details key={`${part.at}-${index}`} class="fold" open={index === 0}>
            <summary>
              <span>
                {say("{messages}, removed {when}", {
                  messages: messagesText(part.messages),
                  when: clockTime(part.at, Date.now())
                })}
              </span>
            </summary>
            <div class="stack gap-2">
              <div class="row wrap gap-2">
                <button type="button" class="button is-small" onClick$={() => save(part)}>
                  {say("Save as Markdown")}
                </button>
                <CopyButton text={text} label={say("Copy removed messages")} />
                <button type="button" class="button is-small" onClick$={() => forget(part)}>
                  {say("Delete")}
                </button>
              </div>
              <pre class="surface scroll-y small mono break-words pre-wrap removed-text" tabIndex={0}>
                {text}
              </pre>
            </div>
          </details>
        )
      })}
      <button q:slot="foot" type="button" class="button" data-autofocus onClick$={close}>
        {say("Close")}
      </button>
    </Dialog>
  )
})
