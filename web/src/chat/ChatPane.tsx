import { $, component$, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { parseMarkers } from "../../../src/services/markers/parseMarkers.ts"
import { useServices } from "../app/ConsoleContext.ts"
import { openSessions } from "../app/openSessions.ts"
import { selectReadable } from "../app/selectReadable.ts"
import { useReadable } from "../app/useReadable.ts"
import { ConnectionBanner } from "../connection/ConnectionBanner.tsx"
import { Icon } from "../ui/Icon.tsx"
import { ActivityBadge } from "./ActivityBadge.tsx"
import { Composer } from "./Composer.tsx"
import { keepUnsent } from "./keepUnsent.ts"
import { MessageLog } from "./MessageLog.tsx"

/** Characters of a finished answer that are read out to screen readers. */
const ANNOUNCED = 600

/** One session's conversation: header, log, composer. The session never changes during its life. */
export const ChatPane = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const key = props.sessionKey
  const chat = useConstant(() => app.console.chat(key))
  const titleOf = useConstant(() =>
    selectReadable(app.console.sessions.state, (state) => state.rows.find((row) => row.key === key)?.title ?? key)
  )
  const title = useReadable(titleOf)
  const announcement = useSignal("")

  useVisibleTask$(
    ({ cleanup }) => {
      cleanup(
        chat.onTurnEnd((turn) => {
          // The gateway names a session after its first question, without telling anybody.
          if (app.console.sessions.find(key)?.label === null) app.console.sessions.refresh()
          announcement.value =
            turn.outcome === "done"
              ? parseMarkers(turn.text).text.slice(0, ANNOUNCED)
              : `The answer ended: ${turn.outcome}.`
        })
      )
      const onKey = (event: KeyboardEvent) => {
        if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return
        if (chat.state.get().running) stop()
      }
      const onLeave = () => keepUnsent(chat, key, app.console.drafts)
      document.addEventListener("keydown", onKey)
      window.addEventListener("pagehide", onLeave)
      cleanup(() => {
        document.removeEventListener("keydown", onKey)
        window.removeEventListener("pagehide", onLeave)
      })
    },
    { strategy: "document-ready" }
  )

  const stop = $(async () => {
    const result = await chat.abort()
    if (!result.ok) app.notices.show("error", result.message)
  })

  return (
    <>
      <header class="chat-head">
        <button
          type="button"
          class="icon-button only-phone"
          aria-label="Sessions"
          data-open-sessions
          onClick$={() => openSessions()}
        >
          <Icon name="menu" />
        </button>
        <h1 title={key}>{title.value}</h1>
        <ActivityBadge chat={chat} />
      </header>
      <MessageLog chat={chat} sessionKey={key} />
      <ConnectionBanner />
      <Composer chat={chat} sessionKey={key} onStop$={stop} />
      <p class="visually-hidden" aria-live="polite">
        {announcement.value}
      </p>
    </>
  )
})
