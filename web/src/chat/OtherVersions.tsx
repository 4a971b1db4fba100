import { $, component$, type QRL, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { clockTime } from "../core/common/timeText.ts"
import { messagesText } from "../core/conversation/messagesIn.ts"
import type { VersionsStore } from "../core/conversation/versions/VersionsStore.ts"
import { say } from "../core/language/say.ts"

interface OtherVersionsProps {
  readonly store: VersionsStore
  readonly onDone$: QRL<() => void>
}

/** All versions of a conversation that the gateway keeps, also those that begin at no message on screen. */
export const OtherVersions = component$<OtherVersionsProps>((props) => {
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
      <ul class="plain-list stack gap-2 versions-list">
        {tips.map(({ leaf, headline, messages, at }) => (
          <li key={leaf}>
            <p>{`${headline === "" ? say("No text") : `“${headline}”`} (${messagesText(messages)}, ${clockTime(at, Date.now())})`}</p>
            <button type="button" class="button is-small" disabled={busy.value} onClick$={() => go(leaf)}>
              {say("Switch to it")}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
})
