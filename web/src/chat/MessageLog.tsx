import { $, component$, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { selectReadable } from "../app/selectReadable.ts"
import { useReadable } from "../app/useReadable.ts"
import type { ChatState, ChatStore } from "../core/chatTypes.ts"
import { copyText } from "../ui/copyText.ts"
import { Icon } from "../ui/Icon.tsx"
import { ChatEntry } from "./ChatEntry.tsx"
import { compose } from "./compose.ts"
import { EmptyChat } from "./EmptyChat.tsx"
import { type FollowState, ScrollFollower } from "./ScrollFollower.ts"
import { Suggestions } from "./Suggestions.tsx"

/** Milliseconds until older messages that were loaded are drawn and in their place. */
const ASK_AGAIN_MS = 400

/** Whether the answer at this place is the last of its turn; text between two tool calls is not. */
const closesTurn = (state: ChatState, index: number): boolean => {
  const next = state.items[index + 1]
  if (next === undefined) return !state.running
  return next.kind === "user" || next.kind === "error" || next.kind === "aborted"
}

interface MessageLogProps {
  readonly chat: ChatStore
  readonly sessionKey: string
}

/** The conversation so far, oldest first, following its end while the reader is there. */
export const MessageLog = component$<MessageLogProps>((props) => {
  const app = useServices()
  const chat = props.chat
  const state = useReadable(chat.state, { perFrame: true })
  const scroller = useSignal<HTMLElement>()
  const content = useSignal<HTMLElement>()
  const older = useSignal<HTMLElement>()
  const follow = useSignal<FollowState>({ following: true, missed: 0 })
  const actions = useConstant(() => ({ toEnd: () => {} }))

  useVisibleTask$(
    ({ cleanup }) => {
      if (scroller.value === undefined || content.value === undefined) return
      const follower = new ScrollFollower(scroller.value, content.value)
      actions.toEnd = () => follower.follow()
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
        follow.value = value
      })
      cleanup(() => {
        stopCounting()
        stopFollowing()
        follower.dispose()
      })
    },
    { strategy: "document-ready" }
  )

  /** Coming near the beginning asks for what is older; the button stays for the keyboard. */
  useVisibleTask$(
    ({ track, cleanup }) => {
      const button = track(older)
      if (button === undefined || scroller.value === undefined) return
      const observer = new IntersectionObserver(
        async ([entry]) => {
          if (entry?.isIntersecting !== true || follow.value.following) return
          await chat.loadOlder()
          // Once the text has found its place the button is asked anew: one that stayed in view tells nothing itself.
          setTimeout(() => {
            observer.unobserve(button)
            if (button.isConnected) observer.observe(button)
          }, ASK_AGAIN_MS)
        },
        { root: scroller.value, rootMargin: "200px 0px 0px 0px" }
      )
      observer.observe(button)
      cleanup(() => observer.disconnect())
    },
    { strategy: "document-ready" }
  )

  const loadOlder = $(async () => {
    await chat.loadOlder()
  })
  const retry = $((key: string) => chat.retry(key))
  const takeBack = $((key: string) => {
    const text = chat.takeBack(key)
    if (text !== null) compose(text)
  })
  const regenerate = $(() => {
    if (!chat.regenerate()) app.notices.show("info", "There is no question to ask again yet.")
  })
  /** Copy buttons inside rendered markdown. */
  const copyCode = $(async (event: MouseEvent) => {
    const button = event.target instanceof Element ? event.target.closest("button[data-copy]") : null
    const code = button?.closest(".code-block")?.querySelector("code")?.textContent
    if (button === null || code === null || code === undefined) return
    const done = await copyText(code)
    button.textContent = done ? "Copied" : "Not copied"
    setTimeout(() => {
      button.textContent = "Copy"
    }, 2000)
  })

  const value = state.value
  const count = value.items.length
  return (
    <div class="log-frame">
      <div
        id="log"
        class="log"
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label="Conversation"
        aria-busy={value.running ? "true" : "false"}
        tabIndex={0}
        onClick$={copyCode}
      >
        <div class="log-content" ref={content}>
          {value.hasOlder && (
            <button
              ref={older}
              type="button"
              class="button is-small log-older"
              disabled={value.loadingOlder}
              onClick$={loadOlder}
            >
              {value.loadingOlder ? "Loading…" : "Show older messages"}
            </button>
          )}
          {value.status === "loading" && count === 0 && (
            <div class="log-loading" role="status">
              <span class="visually-hidden">Loading the conversation…</span>
              <div class="ghost is-right" />
              <div class="ghost" />
              <div class="ghost is-short" />
            </div>
          )}
          {value.status === "failed" && (
            <div class="run-error" role="alert">
              <Icon name="triangle-alert" />
              <p class="run-error-text">{value.message ?? "The conversation could not be read."}</p>
              <button type="button" class="button is-small" onClick$={() => chat.resync()}>
                Try again
              </button>
            </div>
          )}
          {value.status === "ready" && count === 0 && <EmptyChat chat={chat} />}
          {value.items.map((item, index) => (
            <div key={item.key} class="entry" data-item={item.key} data-kind={item.kind}>
              <ChatEntry
                item={item}
                last={index === count - 1}
                closing={closesTurn(value, index)}
                onRetry$={retry}
                onTakeBack$={takeBack}
                onRegenerate$={regenerate}
              />
            </div>
          ))}
          {count > 0 && !value.running && value.items.every((item) => item.kind !== "user") && (
            <Suggestions chat={chat} />
          )}
          {value.activity === "THINKING" && (
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
          <span>{follow.value.missed > 0 ? `Jump to latest (${follow.value.missed} new)` : "Jump to latest"}</span>
        </button>
      )}
    </div>
  )
})
