import { $, component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useReadable } from "../app/useReadable.ts"
import { searchItems } from "../core/chat/searchItems.ts"
import type { ChatStore } from "../core/chatTypes.ts"
import { Icon } from "../ui/Icon.tsx"
import { chatRequest } from "./chatRequest.ts"
import { markFound } from "./markFound.ts"
import { revealed } from "./reveal.ts"
import "./searchBar.css"

/** Finds a text in the conversation: Enter and Shift+Enter walk what was found, Escape ends the search. */
export const SearchBar = component$<{ readonly chat: ChatStore }>((props) => {
  const chat = props.chat
  const state = useReadable(chat.state, { perFrame: true })
  const query = useSignal("")
  const at = useSignal(-1)
  const reading = useSignal(false)
  const field = useSignal<HTMLInputElement>()

  useVisibleTask$(
    ({ cleanup }) => {
      field.value?.focus()
      cleanup(() => markFound("", null))
    },
    { strategy: "document-ready" }
  )

  const found = searchItems(state.value.items, query.value)
  const close = $(() => {
    chatRequest.set(null)
    document.getElementById("composer")?.focus()
  })
  const go = $((step: number) => {
    const keys = searchItems(chat.state.get().items, query.value)
    if (keys.length === 0) return
    at.value = at.value < 0 ? (step > 0 ? 0 : keys.length - 1) : (at.value + step + keys.length) % keys.length
    const key = keys[at.value]
    if (key === undefined) return
    revealed.set({ key })
    markFound(query.value, key)
  })
  const all = $(async () => {
    reading.value = true
    while (reading.value && chat.state.get().hasOlder) {
      const before = chat.state.get().items.length
      await chat.loadOlder()
      if (chat.state.get().items.length === before) break
    }
    reading.value = false
  })

  const count =
    query.value.trim() === ""
      ? ""
      : found.length === 0
        ? "Nothing found"
        : at.value < 0
          ? `${found.length} found`
          : `${Math.min(at.value + 1, found.length)} of ${found.length}`
  return (
    <search class="search-bar" aria-label="Search this conversation">
      <input
        ref={field}
        class="field"
        type="search"
        placeholder="Search this conversation"
        aria-label="Search this conversation"
        autocomplete="off"
        onInput$={(_, element) => {
          query.value = element.value
          at.value = -1
          go(-1)
        }}
        onKeyDown$={(event) => {
          if (event.key === "Enter") go(event.shiftKey ? 1 : -1)
          if (event.key === "Escape") {
            event.stopPropagation()
            close()
          }
        }}
      />
      <p class="search-count" role="status">
        {count}
      </p>
      <button
        type="button"
        class="icon-button"
        aria-label="Earlier"
        disabled={found.length === 0}
        onClick$={() => go(-1)}
      >
        <Icon name="arrow-up" />
      </button>
      <button type="button" class="icon-button" aria-label="Later" disabled={found.length === 0} onClick$={() => go(1)}>
        <Icon name="arrow-down" />
      </button>
      {state.value.hasOlder && (
        <button type="button" class="button is-small" disabled={reading.value} onClick$={all}>
          {reading.value ? "Reading…" : "Search older messages"}
        </button>
      )}
      <button type="button" class="icon-button" aria-label="End the search" onClick$={close}>
        <Icon name="x" />
      </button>
    </search>
  )
})
