import { $, component$, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useSelected } from "../base/useSelected.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { type Lookup, lookForMessage } from "../core/conversation/findMessage.ts"
import { say, sayCount } from "../core/language/say.ts"
import { IconButton } from "../ui/IconButton.tsx"
import { chatRequest } from "./chatRequest.ts"
import { showFound, wantedMessage } from "./foundMessage.ts"

const SENTENCES: Readonly<Record<Exclude<Lookup["kind"], "found">, string>> = {
  missing: say("Couldn't find the message. It may have been removed from this conversation."),
  failed: say("Couldn't load the older messages."),
  stopped: say("Stopped looking for the message.")
}

interface FoundMessageProps {
  readonly chat: ChatStore
  /** The address's query, which names the message. */
  readonly query: string
}

/** Opens the conversation at a message: loads what is missing up to it, and marks it. */
export const FoundMessage = component$<FoundMessageProps>((props) => {
  const { chat } = props
  const state = useSignal<"looking" | Lookup["kind"]>("looking")
  const attempt = useSignal(0)
  const stop = useSignal<{ readonly run: () => void } | null>(null)
  const count = useSelected(chat.state, ({ items }) => items.length)

  useBrowserTask$(({ track, cleanup }) => {
    track(() => attempt.value)
    const wanted = wantedMessage(props.query)
    const control = new AbortController()
    let hide = () => {}
    let place: HTMLElement | null = null
    state.value = "looking"
    stop.value = { run: () => control.abort() }
    void lookForMessage(chat, wanted, control.signal).then((lookup) => {
      if (lookup.kind === "found" && !control.signal.aborted)
        hide = showFound(chat.state.get().items, lookup.key, wanted.marks, (element) => {
          place = element
          element.dataset.found = ""
          element.tabIndex = -1
          element.focus({ preventScroll: true })
        })
      state.value = lookup.kind
    })
    cleanup(() => {
      control.abort()
      hide()
      if (place !== null) delete place.dataset.found
    })
  })
  const close = $(() => chatRequest.set(null))

  const now = state.value
  if (now === "found") {
    return (
      <p class="visually-hidden" role="status">
        {say("Message found.")}
      </p>
    )
  }
  return (
    <div class="found-place">
      <div class={["row gap-3 small surface found-note", now === "looking" && "is-looking"]}>
        {now === "looking" && <span class="spinner" aria-hidden="true" />}
        <p role="status">{now === "looking" ? say("Looking for the message…") : SENTENCES[now]}</p>
        {now === "looking" && (
          <span class="soft tabular nowrap">{sayCount(count.value, "{count} loaded", "{count} loaded")}</span>
        )}
        {now === "looking" && (
          <button type="button" class="button is-small" onClick$={() => stop.value?.run()}>
            {say("Stop")}
          </button>
        )}
        {(now === "failed" || now === "stopped") && (
          <button
            type="button"
            class="button is-small"
            onClick$={() => {
              attempt.value++
            }}
          >
            {say("Try again")}
          </button>
        )}
        {now !== "looking" && <IconButton icon="x" label={say("Close")} onClick$={close} />}
      </div>
    </div>
  )
})
