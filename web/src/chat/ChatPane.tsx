import { $, component$, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { parseMarkers } from "../../../src/services/markers/parseMarkers.ts"
import { useServices } from "../app/ConsoleContext.ts"
import { openSessions } from "../app/openSessions.ts"
import { selectReadable } from "../app/selectReadable.ts"
import { useCommands } from "../app/useCommands.ts"
import { useReadable } from "../app/useReadable.ts"
import { ApprovalPlace } from "../approvals/ApprovalPlace.tsx"
import { ConnectionBanner } from "../connection/ConnectionBanner.tsx"
import { titleOfKey } from "../core/sessionRows.ts"
import { Icon } from "../ui/Icon.tsx"
import { MenuButton } from "../ui/MenuButton.tsx"
import { ActivityBadge } from "./ActivityBadge.tsx"
import { ChatToolsPlace } from "./ChatToolsPlace.tsx"
import { Composer } from "./Composer.tsx"
import { chatActions, chatCommands } from "./chatActions.ts"
import { chatRequest } from "./chatRequest.ts"
import { compose } from "./compose.ts"
import { keepUnsent } from "./keepUnsent.ts"
import { MessageLog } from "./MessageLog.tsx"
import { modelText } from "./modelText.ts"

/** Characters of a finished answer that are read out to screen readers. */
const ANNOUNCED = 600

/** One session's conversation: header, log, composer. The session never changes during its life. */
export const ChatPane = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const key = props.sessionKey
  const chat = useConstant(() => app.console.chat(key))
  const titleOf = useConstant(() =>
    selectReadable(
      app.console.sessions.state,
      (state) => state.rows.find((row) => row.key === key)?.title ?? titleOfKey(key)
    )
  )
  const title = useReadable(titleOf)
  const model = useReadable(
    useConstant(() =>
      selectReadable(app.console.sessions.state, (state) =>
        modelText(state.rows.find((candidate) => candidate.key === key) ?? null)
      )
    )
  )
  const announcement = useSignal("")
  const actions = useConstant(() => chatActions(app, chat, key))
  useCommands(() => chatCommands(app, chat, key))

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
    for (const message of chat.takeHeld()) compose(message)
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
        <button
          type="button"
          class="button is-small chat-model"
          aria-label={`Model and thinking: ${model.value}`}
          title="Model and thinking"
          onClick$={() => chatRequest.set({ kind: "model" })}
        >
          <Icon name="sliders" />
          <span>{model.value}</span>
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Search this conversation"
          title="Search this conversation"
          onClick$={() => chatRequest.set({ kind: "search" })}
        >
          <Icon name="search" />
        </button>
        <MenuButton label="More for this conversation" items={actions} />
      </header>
      <ChatToolsPlace chat={chat} sessionKey={key} />
      <MessageLog chat={chat} sessionKey={key} />
      <ApprovalPlace sessionKey={key} />
      <ConnectionBanner />
      <Composer chat={chat} sessionKey={key} onStop$={stop} />
      <p class="visually-hidden" aria-live="polite">
        {announcement.value}
      </p>
    </>
  )
})
