import { $, component$, type QRL, useConstant, useContextProvider, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { selectReadable } from "../base/selectReadable.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { useSelected } from "../base/useSelected.ts"
import { waitingNote } from "../connection/connectionText.ts"
import type { ChatItem, ChatState, ChatStore, ToolItem } from "../core/conversation/chatTypes.ts"
import type { FollowState } from "../core/conversation/Following.ts"
import { groupTools } from "../core/conversation/groupTools.ts"
import { createLogWindow } from "../core/conversation/LogWindow.ts"
import type { VersionsStore } from "../core/conversation/versions/VersionsStore.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { createScrollFollower } from "../ui/ScrollFollower.ts"
import { ChatEntry } from "./ChatEntry.tsx"
import { chatRequest } from "./chatRequest.ts"
import { EmptyChat, Suggestions } from "./EmptyChat.tsx"
import { newFrom, revealed } from "./followChat.ts"
import { VersionsContext, versionsByKey } from "./MessageVersions.tsx"
import { ToolGroup } from "./ToolCard.tsx"
import type { WaitsFor } from "./toolText.ts"

interface LogEntryProps {
  /** Null for a row of tool calls. */
  readonly item: ChatItem | null
  readonly tools: ReadonlyArray<ToolItem> | null
  readonly last: boolean
  readonly closing: boolean
  readonly waits: WaitsFor
  readonly onRegenerate$: QRL<() => void>
}

/** One item in the log, or a row of tool calls; it's only drawn again when one of these changed. */
const LogEntry = component$<LogEntryProps>((props) => {
  const { item, tools } = props
  if (tools !== null) return <ToolGroup tools={tools} />
  if (item === null) return null
  return (
    <ChatEntry
      item={item}
      last={props.last}
      closing={props.closing}
      waits={props.waits}
      onRegenerate$={props.onRegenerate$}
    />
  )
})

/** Milliseconds until loaded older messages are drawn and in place. */
const ASK_AGAIN_MS = 400

/** Whether the response at this index is the last of its turn; text between two tool calls isn't. */
const closesTurn = (state: ChatState, index: number): boolean => {
  const next = state.items[index + 1]
  if (next === undefined) return !state.running
  return next.kind === "user" || next.kind === "error" || next.kind === "aborted" || next.kind === "note"
}

interface MessageLogProps {
  readonly chat: ChatStore
  readonly sessionKey: string
  readonly versions: VersionsStore
}

/** The conversation so far, oldest first; follows its end while the reader is there. */
export const MessageLog = component$<MessageLogProps>((props) => {
  const app = useServices()
  const chat = props.chat
  const sessionKey = props.sessionKey
  const state = useReadable(chat.state, { perFrame: true })
  // The banner says what is missing; nothing is loading in the meantime.
  const cutOff = useSelected(app.client.linkOf(sessionKey).state, (link) => waitingNote(link, null) !== null)
  const waits = useSelected(app.client.inbox.keys, (keys) => keys.has(sessionKey))
  const unlisted = useSelected(
    app.client.sessions.state,
    ({ status, rows }) => status === "ready" && rows.every(({ key }) => key !== sessionKey)
  )
  const news = useReadable(newFrom)
  useContextProvider(VersionsContext, useReadable(useConstant(() => versionsByKey(props.versions))))
  const scroller = useSignal<HTMLElement>()
  const content = useSignal<HTMLElement>()
  const older = useSignal<HTMLElement>()
  const newer = useSignal<HTMLElement>()
  const follow = useSignal<FollowState>({ following: true, missed: 0 })
  const actions = useConstant(() => ({ toEnd: () => {}, hold: () => {} }))
  const shown = useConstant(() => createLogWindow())
  /** Counts changes to what is drawn that the conversation doesn't know about. */
  const moved = useSignal(0)

  useBrowserTask$(({ cleanup }) => {
    if (scroller.value === undefined || content.value === undefined) return
    const follower = createScrollFollower(scroller.value, content.value, () => {
      const { items } = chat.state.get()
      return shown.range(items).end >= items.length
    })
    actions.toEnd = () => {
      shown.unpin()
      moved.value++
      follower.follow()
    }
    actions.hold = () => follower.holdPlace()
    let count = chat.state.get().items.length
    let first = chat.state.get().items[0]?.key
    const stopCounting = selectReadable(chat.state, (value) => value.items).subscribe((items) => {
      const last = items.at(-1)
      if (last?.kind === "user" && last.delivery === "sending" && items.length > count) follower.follow()
      else if (items[0]?.key !== first) follower.holdPlace()
      else follower.arrived(items.length - count)
      count = items.length
      first = items[0]?.key
    })
    const stopFollowing = follower.state.subscribe((value) => {
      const { items } = chat.state.get()
      if (value.following) shown.unpin()
      else shown.pin(items)
      follow.value = value
    })
    const stopRevealing = revealed.subscribe((wish) => {
      if (wish === null) return
      follower.leave()
      follower.arrived(wish.missed ?? 0)
      if (!shown.show(chat.state.get().items, wish.key)) return
      moved.value++
      const find = (tries: number) =>
        requestAnimationFrame(() => {
          const place = content.value?.querySelector(`[data-item="${CSS.escape(wish.key)}"]`)
          const { offset } = wish
          if (place != null && offset === undefined) place.scrollIntoView({ block: "center" })
          else if (place != null) follower.place(place, offset ?? 0)
          else if (tries > 0) find(tries - 1)
        })
      find(60)
    })
    cleanup(() => {
      stopCounting()
      stopFollowing()
      stopRevealing()
      follower.dispose()
    })
  })

  /** Scrolling near the beginning loads older messages; the button remains for the keyboard. */
  useBrowserTask$(({ track, cleanup }) => {
    const button = track(older)
    if (button === undefined || scroller.value === undefined) return
    const observer = new IntersectionObserver(
      async ([entry]) => {
        if (entry?.isIntersecting !== true || follow.value.following) return
        const { items } = chat.state.get()
        actions.hold()
        if (shown.up(items)) moved.value++
        else {
          shown.pin(items)
          await chat.loadOlder()
          if (shown.up(chat.state.get().items)) moved.value++
        }
        // Once the text has settled, observe the button again: one that stayed in view reports nothing by itself.
        setTimeout(() => {
          observer.unobserve(button)
          if (button.isConnected) observer.observe(button)
        }, ASK_AGAIN_MS)
      },
      { root: scroller.value, rootMargin: "200px 0px 0px 0px" }
    )
    observer.observe(button)
    cleanup(() => observer.disconnect())
  })

  /** Scrolling near the end of a stretch in the middle shows what follows. */
  useBrowserTask$(({ track, cleanup }) => {
    const mark = track(newer)
    if (mark === undefined || scroller.value === undefined) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true || follow.value.following) return
        actions.hold()
        if (shown.down(chat.state.get().items)) moved.value++
        setTimeout(() => {
          observer.unobserve(mark)
          if (mark.isConnected) observer.observe(mark)
        }, ASK_AGAIN_MS)
      },
      { root: scroller.value, rootMargin: "0px 0px 200px 0px" }
    )
    observer.observe(mark)
    cleanup(() => observer.disconnect())
  })

  const loadOlder = $(async () => {
    actions.hold()
    const { items } = chat.state.get()
    if (!shown.up(items)) {
      shown.pin(items)
      await chat.loadOlder()
      shown.up(chat.state.get().items)
    }
    moved.value++
  })
  // The same for the life of the log, so that no entry is drawn again because of it.
  const regenerate = useConstant(() =>
    $(async () => {
      const done = await chat.regenerate()
      if (!done.ok) app.notices.show("info", done.message)
    })
  )
  const onClick = $((event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target : null
    const picture = target?.closest("button[data-picture]")?.querySelector("img")
    if (picture != null) chatRequest.set({ kind: "picture", src: picture.src, alt: picture.alt })
  })

  const value = state.value
  const gone = value.deleted ? "deleted" : value.isUnknown === true && unlisted.value ? "unknown" : null
  const waitsFor = !value.linked ? "link" : waits.value ? "person" : null
  const count = value.items.length
  const { start, end } = moved.value >= 0 ? shown.range(value.items) : { start: 0, end: count }
  const parts = groupTools(value.items.slice(start, end), start)
  return (
    <div class="log-frame">
      <div
        id="log"
        class="scroll-y log"
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={say("Conversation")}
        aria-busy={value.running || value.activity === "THINKING" ? "true" : "false"}
        tabIndex={0}
        onClick$={onClick}
      >
        <div class="flex-column gap-4 log-content" ref={content}>
          {(value.hasOlder || start > 0) && (
            <button
              ref={older}
              type="button"
              class="button is-small log-older"
              disabled={value.loadingOlder}
              onClick$={loadOlder}
            >
              {value.loadingOlder ? say("Loading…") : say("Show older messages")}
            </button>
          )}
          {value.status === "loading" && count === 0 && !cutOff.value && (
            <div class="stack gap-4 log-loading" role="status">
              <span class="visually-hidden">{say("Loading the conversation…")}</span>
              <div class="ghost is-right" />
              <div class="ghost" />
              <div class="ghost is-short" />
            </div>
          )}
          {value.status === "failed" && (
            <div class="row gap-3 run-error" role="alert">
              <Icon name="triangle-alert" />
              <p class="can-shrink break-words run-error-text">
                {value.message ?? say("Couldn't load the conversation.")}
              </p>
              <button type="button" class="button is-small" onClick$={() => chat.resync()}>
                {say("Try again")}
              </button>
            </div>
          )}
          {value.status === "ready" && (count === 0 || gone === "deleted") && <EmptyChat chat={chat} gone={gone} />}
          {parts.map((part) => (
            <div
              key={part.key}
              class="entry"
              data-item={part.key}
              data-kind={part.kind === "tools" ? "tool" : part.item.kind}
            >
              {news.value !== null && part.key.endsWith(news.value) && (
                <p class="row gap-3 tiny log-new">{say("New")}</p>
              )}
              <LogEntry
                item={part.kind === "item" ? part.item : null}
                tools={part.kind === "tools" ? part.tools : null}
                last={part.kind === "item" && part.index === count - 1}
                closing={part.kind === "item" && closesTurn(value, part.index)}
                waits={waitsFor}
                onRegenerate$={regenerate}
              />
            </div>
          ))}
          {end < count && <div ref={newer} class="log-newer" />}
          {count > 0 && !value.running && value.items.every((item) => item.kind !== "user") && (
            <Suggestions chat={chat} />
          )}
          {value.activity === "THINKING" && waitsFor === null && end === count && (
            <p class="typing" aria-hidden="true">
              <span class="typing-dot" />
              <span class="typing-dot" />
              <span class="typing-dot" />
            </p>
          )}
        </div>
      </div>
      {!follow.value.following && (
        <button type="button" class="button jump" onClick$={() => actions.toEnd()}>
          <Icon name="arrow-down" />
          <span>
            {follow.value.missed > 0
              ? say("Jump to latest ({count} new)", { count: follow.value.missed })
              : say("Jump to latest")}
          </span>
        </button>
      )}
    </div>
  )
})
