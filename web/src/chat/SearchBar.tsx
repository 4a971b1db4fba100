import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { lookForMessage, searchItems } from "../core/conversation/findMessage.ts"
import { say, sayCount } from "../core/language/say.ts"
import { conversationSearch, olderHits, searchOlder } from "../core/search/conversationSearch.ts"
import { Icon } from "../ui/Icon.tsx"
import { IconButton } from "../ui/IconButton.tsx"
import { chatRequest } from "./chatRequest.ts"
import { markFound, showFound } from "./foundMessage.ts"

/**
 * Searches the conversation: Enter and Shift+Enter move through the results, Escape closes the search. What isn't loaded
 * is looked up in the index, and loaded when the search gets there.
 */
export const SearchBar = component$<{ readonly chat: ChatStore; readonly sessionKey: string }>((props) => {
  const { chat, sessionKey } = props
  const app = useServices()
  const state = useReadable(chat.state, { perFrame: true })
  const index = useConstant(() => conversationSearch(app.client))
  const everything = useReadable(index.state)
  const query = useSignal("")
  const at = useSignal(-1)
  const reading = useSignal<AbortController | null>(null)
  const field = useSignal<HTMLInputElement>()

  useBrowserTask$(({ cleanup }) => {
    field.value?.focus()
    cleanup(() => {
      reading.value?.abort()
      index.type("")
      markFound([], null)
    })
  })

  const found = searchItems(state.value.items, query.value)
  const older = state.value.hasOlder ? olderHits(everything.value, chat) : []
  const close = $(() => {
    chatRequest.set(null)
    document.getElementById("composer")?.focus()
  })
  const show = $((key: string, marks: ReadonlyArray<string>) => {
    showFound(chat.state.get().items, key, marks)
  })
  /** Loads the conversation up to the newest hit that isn't loaded, and goes there. */
  const goOlder = $(async () => {
    const [hit] = chat.state.get().hasOlder ? olderHits(index.state.get(), chat) : []
    if (hit === undefined || reading.value !== null) return
    const control = new AbortController()
    reading.value = control
    const text = query.value
    const lookup = await lookForMessage(chat, hit, control.signal)
    reading.value = null
    if (query.value !== text || control.signal.aborted) return
    if (lookup.kind === "failed") app.notices.show("error", say("Couldn't load the older messages. Try again."))
    if (lookup.kind === "missing")
      app.notices.show("info", say("Couldn't find that message. It may have been removed."))
    if (lookup.kind !== "found") return
    at.value = searchItems(chat.state.get().items, text).indexOf(lookup.key)
    show(lookup.key, hit.marks)
  })
  const go = $((step: number) => {
    const keys = searchItems(chat.state.get().items, query.value)
    const isFirst = at.value === 0 || keys.length === 0
    if (step < 0 && isFirst && chat.state.get().hasOlder && olderHits(index.state.get(), chat).length > 0)
      return goOlder()
    if (keys.length === 0) return markFound([], null)
    at.value = at.value < 0 ? (step > 0 ? 0 : keys.length - 1) : (at.value + step + keys.length) % keys.length
    const key = keys[at.value]
    if (key !== undefined) show(key, [query.value])
  })
  const all = $(async () => {
    const control = new AbortController()
    reading.value = control
    while (!control.signal.aborted && chat.state.get().hasOlder) {
      const before = chat.state.get().items.length
      await chat.loadOlder()
      if (chat.state.get().items.length === before) break
    }
    reading.value = null
  })

  const isAsked = everything.value.status === "ready" && !everything.value.isBuilding
  const count =
    query.value.trim() === ""
      ? ""
      : found.length === 0
        ? older.length > 0 || everything.value.status === "loading"
          ? ""
          : say("No results")
        : at.value < 0
          ? sayCount(found.length, "{count} found", "{count} found")
          : say("{number} of {all}", { number: Math.min(at.value + 1, found.length), all: found.length })
  const more =
    older.length === 0
      ? ""
      : everything.value.cursor === null
        ? sayCount(older.length, "{count} in older messages", "{count} in older messages")
        : sayCount(older.length, "{count}+ in older messages", "{count}+ in older messages")
  const isEmpty = found.length === 0 && older.length === 0
  return (
    <search class="row wrap gap-2 border-bottom search-bar" aria-label={say("Search this conversation")}>
      <input
        ref={field}
        class="field"
        type="search"
        placeholder={say("Search this conversation")}
        aria-label={say("Search this conversation")}
        autocomplete="off"
        onInput$={(_, element) => {
          query.value = element.value
          at.value = -1
          reading.value?.abort()
          searchOlder(index, element.value, sessionKey)
          if (searchItems(chat.state.get().items, element.value).length > 0) go(-1)
          else markFound([], null)
        }}
        onKeyDown$={(event) => {
          if (event.key === "Enter") go(event.shiftKey ? 1 : -1)
          if (event.key === "Escape") {
            event.stopPropagation()
            close()
          }
        }}
      />
      <p class="soft small search-count" role="status">
        {[count, more].filter((part) => part !== "").join(", ")}
      </p>
      <button type="button" class="icon-button" aria-label={say("Earlier")} disabled={isEmpty} onClick$={() => go(-1)}>
        <Icon name="arrow-up" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={say("Later")}
        disabled={found.length === 0}
        onClick$={() => go(1)}
      >
        <Icon name="arrow-down" />
      </button>
      {state.value.hasOlder && (older.length > 0 || !isAsked) && (
        <button
          type="button"
          class="button is-small"
          disabled={reading.value !== null}
          onClick$={() => (older.length > 0 ? goOlder() : all())}
        >
          {reading.value !== null
            ? say("Loading…")
            : older.length > 0
              ? say("Go to older result")
              : say("Search older messages")}
        </button>
      )}
      <IconButton icon="x" label={say("Close search")} onClick$={close} />
    </search>
  )
})
