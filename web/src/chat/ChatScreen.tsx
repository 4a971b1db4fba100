import { $, component$, useConstant, useContextProvider, useSignal } from "@builder.io/qwik"
import { keyParts, PRIMARY } from "../../../src/contract/qualifiedKey.ts"
import { useServices } from "../base/AppContext.ts"
import { addressedSession } from "../base/routes.ts"
import { useReadable } from "../base/useReadable.ts"
import { below } from "../core/common/basePath.ts"
import { useMarkdown } from "../ui/markdown/useMarkdown.ts"
import "./chat.css"
import { agentOfKey } from "../../../src/services/conversations/history/agentOfKey.ts"
import { useAgentOf } from "../agents/useAgentOf.ts"
import { ApprovalPlace } from "../approvals/ApprovalPlace.tsx"
import { ChatContext } from "../base/ChatContext.ts"
import { selectReadable } from "../base/selectReadable.ts"
import { createSession, sessionRequest } from "../base/sessionRequest.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { usePart } from "../base/usePart.ts"
import { useSelected } from "../base/useSelected.ts"
import { HoldPlace } from "../budgets/HoldPlace.tsx"
import { firstRun } from "../core/client/firstRun.ts"
import type { ChatState, ChatStore } from "../core/conversation/chatTypes.ts"
import { createVersionsStore } from "../core/conversation/versions/VersionsStore.ts"
import { gatewayOfKey, markOf } from "../core/gateways/gatewayMark.ts"
import { say } from "../core/language/say.ts"
import { titleOfKey } from "../core/sessions/sessionRows.ts"
import { AgentFace } from "../ui/AgentFace.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { IconButton } from "../ui/IconButton.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { previewRequest } from "../ui/preview/previewRequest.ts"
import { RequestedPart } from "../ui/RequestedPart.tsx"
import { ScreenHead, SessionsButton } from "../ui/ScreenHead.tsx"
import { StateBadge } from "../ui/StateBadge.tsx"
import { Composer } from "./Composer.tsx"
import { announceTurns, chatStatusOf, chatStatusText, whileWaiting, workStateOf } from "./chatActivity.ts"
import { stopResponse } from "./chatCommands.ts"
import { chatRequest } from "./chatRequest.ts"
import { escapeStops } from "./composerKeys.ts"
import { followChat } from "./followChat.ts"
import { keepUnsent } from "./keepUnsent.ts"
import { MessageLog } from "./MessageLog.tsx"

/** The state of the agent's work: waiting for a person, working, denied, failed; nothing once it's done. */
const ActivityBadge = component$<{ readonly chat: ChatStore; readonly sessionKey: string }>((props) => {
  const app = useServices()
  const { chat, sessionKey } = props
  const alone = useSelected(chat.state, chatStatusOf)
  const activity = useSelected(chat.state, (state) => state.activity)
  const waits = useSelected(app.client.inbox.keys, (keys) => keys.has(sessionKey))
  const status = whileWaiting(alone.value, waits.value)
  const state = workStateOf(status)
  const text = chatStatusText(status)
  return (
    <p class="row no-shrink small activity" data-activity={activity.value}>
      {state !== null && <StateBadge state={state} text={text} isPlain />}
    </p>
  )
})

/** Nothing was said in it, and nothing is on its way. */
const isUnused = ({ items, status }: ChatState): boolean => status === "ready" && items.length === 0

const loadTools = async () => (await import("./ChatTools.tsx")).ChatTools
const loadPreview = async () => (await import("../ui/preview/PreviewPanel.tsx")).PreviewPanel

/** In place of a conversation that can't be read or begun before the console has a gateway. */
const ConnectPlace = component$(() => {
  const arriving = usePart(() => import("../connection/ConnectScreen.tsx"))
  const { part } = arriving.value
  return part === null ? null : <part.ConnectScreen />
})

/** One session's conversation: header, log, composer. The session never changes during its life. */
const ChatPane = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const key = props.sessionKey
  const chat = useConstant(() => app.client.chat(key))
  const versions = useConstant(() => createVersionsStore(app.client.linkOf(key), chat))
  const titleOf = useConstant(() =>
    selectReadable(
      app.client.sessions.state,
      (state) => state.rows.find((row) => row.key === key)?.title ?? titleOfKey(key)
    )
  )
  const title = useReadable(titleOf)
  const agent = useAgentOf(key)
  const gateways = useReadable(app.client.gateways)
  const gatewayName = markOf(gateways.value, gatewayOfKey(key))?.name
  const isNew = useSelected(chat.state, isUnused)
  // What a restarted gateway forgot is still on screen, and goes on.
  const isUnknown = useSelected(
    chat.state,
    ({ deleted, isUnknown, items }) => isUnknown === true && !deleted && items.length === 0
  )
  const isUnlisted = useSelected(
    app.client.sessions.state,
    ({ status, rows }) => status === "ready" && rows.every((row) => row.key !== key)
  )
  const hasNoGateway = useReadable(useConstant(() => firstRun(app.client)))
  const isEmpty = useSelected(chat.state, ({ items }) => items.length === 0)
  const announcement = useSignal("")
  useContextProvider(ChatContext, {
    sessionKey: key,
    agent: agentOfKey(key),
    readWhole: (item) => chat.readWhole(item),
    versions
  })

  useBrowserTask$(({ cleanup }) => {
    cleanup(followChat(app, chat, key))
    cleanup(() => versions.dispose())
    cleanup(
      chat.onTurnEnd(() => {
        // The gateway names a session after its first question without announcing it.
        if (app.client.sessions.find(key)?.label === null) app.client.sessions.refresh()
      })
    )
    cleanup(
      announceTurns(chat, (text) => {
        announcement.value = text
      })
    )
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return
      const place = event.target instanceof Element ? event.target : null
      if (chat.state.get().running && escapeStops(place)) stop()
    }
    const onLeave = () => keepUnsent(chat, key, app.client.drafts)
    document.addEventListener("keydown", onKey)
    window.addEventListener("pagehide", onLeave)
    cleanup(() => {
      document.removeEventListener("keydown", onKey)
      window.removeEventListener("pagehide", onLeave)
    })
  })

  const stop = $(async () => {
    const result = await stopResponse(chat)
    if (!result.ok) app.notices.show("error", result.message)
  })

  return (
    <>
      <header class="row gap-3 border-bottom chat-head">
        <SessionsButton />
        <AgentFace agent={agent.value} />
        <div class="stack grow can-shrink chat-title">
          <h1 title={key}>{title.value}</h1>
          <p class="soft tiny truncate">
            {gatewayName === undefined ? agent.value.name : `${agent.value.name} · ${gatewayName}`}
          </p>
        </div>
        <ActivityBadge chat={chat} sessionKey={key} />
        <IconButton
          icon="search"
          label={say("Search this conversation")}
          onClick$={() => chatRequest.set({ kind: "search" })}
        />
        <IconButton class="only-phone" icon="plus" label={say("New session")} onClick$={() => createSession(app)} />
        <button
          type="button"
          class="icon-button"
          aria-label={say("More for this conversation")}
          title={say("More for this conversation")}
          aria-haspopup="menu"
          onClick$={(_, anchor) => sessionRequest.set({ kind: "menu", key, anchor })}
        >
          <Icon name="ellipsis" />
        </button>
      </header>
      <RequestedPart request={chatRequest} load={loadTools} />
      <RequestedPart request={previewRequest} load={loadPreview} />
      <h2 class="visually-hidden">{say("Messages")}</h2>
      {hasNoGateway.value && isEmpty.value && gatewayOfKey(key) === PRIMARY ? (
        <ConnectPlace />
      ) : (
        <>
          <MessageLog chat={chat} sessionKey={key} versions={versions} />
          <HoldPlace sessionKey={key} />
          <ApprovalPlace sessionKey={key} />
          {!(isUnknown.value && isUnlisted.value) && (
            <Composer chat={chat} isNew={isNew.value} sessionKey={key} onStop$={stop} />
          )}
        </>
      )}
      <p class="visually-hidden" aria-live="polite">
        {announcement.value}
      </p>
    </>
  )
})

/** The conversation of the addressed session, or of the last used one. */
export const ChatScreen = component$(() => {
  const app = useServices()
  useMarkdown()
  const location = useReadable(app.router.location)
  const activeKey = useReadable(app.client.sessions.activeKey)

  const gateways = useReadable(app.client.gateways)

  const sessionKey = addressedSession(location.value) ?? activeKey.value
  const { gatewayId } = keyParts(sessionKey)
  // Its gateway is connected to once it's known that there are several.
  if (gatewayId !== PRIMARY && !gateways.value?.some(({ id }) => id === gatewayId))
    return (
      <>
        <ScreenHead title={titleOfKey(sessionKey)} />
        {gateways.value === null ? (
          <LoadingState label={say("Loading…")} />
        ) : (
          <ErrorState
            isMissing
            title={say("This session's gateway was removed.")}
            text={say("Its sessions stay on the gateway. Add it again to go on with them.")}
            action={say("Open the gateways")}
            href={below("/settings/gateways")}
          />
        )}
      </>
    )
  return <ChatPane key={sessionKey} sessionKey={sessionKey} />
})
