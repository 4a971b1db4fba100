import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import { byteText, wholeNumber } from "../core/common/numberText.ts"

import { say } from "../core/language/say.ts"
import { indexStore } from "../core/search/IndexStore.ts"
import { pausedText, progressText } from "../core/search/searchText.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { Switch } from "../ui/Switch.tsx"

/** Of an index that can't be read. */
const UNKNOWN = say("Unknown")

const anewText = (why: string): string =>
  say("The index is being rebuilt because {why}. This happens automatically, and nothing else is affected.", { why })

/** What the search knows: its index, which can be built again or deleted at any time. */
export const SearchSettings = component$(() => {
  const app = useServices()
  const store = useConstant(() => indexStore(app.client))
  const query = useReadable(store.index.state)
  const asking = useSignal(false)
  const busy = useSignal(false)

  useBrowserTask$(({ cleanup }) => cleanup(store.open()))

  const rebuild = $(async () => {
    busy.value = true
    const done = await store.rebuild()
    busy.value = false
    if (!done.ok) app.notices.show("error", done.error.message)
  })
  const remove = $(async () => {
    const done = await store.remove()
    asking.value = false
    app.notices.show(done.ok ? "info" : "error", done.ok ? say("The search index was deleted.") : done.error.message)
  })
  const setToolOutput = $(async (on: boolean) => {
    const done = await store.setToolOutput(on)
    if (!done.ok) app.notices.show("error", done.error.message)
  })

  useCommands(() => {
    const now = store.index.state.get().value
    const group = say("Search")
    return [
      {
        id: "index.rebuild",
        label: say("Build the search index again"),
        group,
        when: () => now !== null && now.state !== "building" && !busy.value,
        run: rebuild
      },
      {
        id: "index.delete",
        label: say("Delete the search index"),
        group,
        when: () => now !== null && !busy.value,
        run: () => {
          asking.value = true
        }
      }
    ]
  })
  const { value, problem } = query.value
  const toolOutput = value?.toolOutput === true
  if (value === null && problem !== null)
    return (
      <ErrorState
        title={say("Couldn't load the search's settings")}
        text={problem}
        onRetry$={() => store.index.refresh()}
      />
    )
  if (value === null) return <LoadingState label={say("Loading…")} />
  const { anew, paused } = value
  const share = progressText(value.progress)
  const built =
    value.state === "ready" ? say("Ready") : share === "" ? say("Being built") : say("Being built, {share}", { share })
  const state = paused === null ? built : say("Paused")
  const why = paused === null ? anew !== null && anewText(anew) : pausedText(paused)
  return (
    <div class="settings-page">
      <p class="settings-note">
        {say(
          "Conversations, cards, memory, the six documents and the agent log are in an index on the console's machine. It follows every change by itself and can be built again at any time; nothing else is affected."
        )}
      </p>
      <div class="settings-group">
        <Switch
          label={say("Search tool output")}
          hint={say("Search finds tool output, too. Turning this on rebuilds the index.")}
          checked={toolOutput}
          disabled={busy.value}
          onChange$={setToolOutput}
        />
      </div>
      <p class="visually-hidden" role="status">
        {state}
      </p>
      {why !== false && (
        <p class={paused === null ? "settings-note" : "settings-note is-warning"} role="alert">
          {why}
        </p>
      )}
      <dl class="surface stack divided break-words fact-rows" aria-label={say("Search index")}>
        <div>
          <dt>{say("State")}</dt>
          <dd>{state}</dd>
        </div>
        <div>
          <dt>{say("Size on disk")}</dt>
          <dd>{value.bytes === null ? UNKNOWN : byteText(value.bytes)}</dd>
        </div>
        <div>
          <dt>{say("Messages")}</dt>
          <dd>{value.messages === null ? UNKNOWN : wholeNumber(value.messages)}</dd>
        </div>
        <div>
          <dt>{say("Cards, memory, documents and log entries")}</dt>
          <dd>{value.documents === null ? UNKNOWN : wholeNumber(value.documents)}</dd>
        </div>
      </dl>
      <div class="row wrap space-between gap-3 is-start">
        <button type="button" class="button" disabled={busy.value || value.state === "building"} onClick$={rebuild}>
          {say("Build again")}
        </button>
        <button
          type="button"
          class="button is-danger"
          disabled={busy.value}
          onClick$={() => {
            asking.value = true
          }}
        >
          {say("Delete index")}
        </button>
      </div>
      {asking.value && (
        <ConfirmDialog
          title={say("Delete the search index?")}
          confirmLabel={say("Delete index")}
          danger
          onConfirm$={remove}
          onCancel$={() => {
            asking.value = false
          }}
        >
          <p>
            {say(
              "This frees up space on the console's machine. The next search rebuilds it. Conversations, cards, memory and documents stay as they are."
            )}
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
})
