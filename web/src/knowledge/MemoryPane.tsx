import { $, component$, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useCommands } from "../app/useCommands.ts"
import { useReadable } from "../app/useReadable.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { dayKey } from "../core/knowledge/MemoryStore.ts"
import { searchMemory } from "../core/knowledge/memoryView.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { AddMemoryDialog } from "./AddMemoryDialog.tsx"
import { MemoryDays } from "./MemoryDays.tsx"
import { MemorySectionCard } from "./MemorySectionCard.tsx"
import "./memory.css"

/** What the agent remembers: the long-term memory in its sections, and the latest days. */
export const MemoryPane = component$(() => {
  const app = useServices()
  const store = useConstant(() => knowledgeOf(app.console).memory)
  const state = useReadable(store.state, { perFrame: true })
  const query = useSignal("")
  /** The section a new memory is for; null while none is being added. */
  const adding = useSignal<string | null>(null)

  useVisibleTask$(({ cleanup }) => cleanup(store.watch()), { strategy: "document-ready" })
  // The text of the days is read only for a search.
  useVisibleTask$(
    ({ track, cleanup }) => {
      if (track(() => query.value.trim()) === "") return
      const timer = setTimeout(() => void store.readDays(), 250)
      cleanup(() => clearTimeout(timer))
    },
    { strategy: "document-ready" }
  )

  useCommands(() => [
    {
      id: "memory.add",
      label: "Add a memory",
      group: "Memory",
      keys: "n",
      keywords: "remember new",
      run: () => {
        adding.value = ""
      }
    },
    {
      id: "memory.search",
      label: "Search the memory",
      group: "Memory",
      keys: "/",
      run: () => document.getElementById("memory-search")?.focus()
    }
  ])

  const add = $((section: string) => {
    adding.value = section
  })

  const { status, message, contents, edits } = state.value
  const isEmpty = state.value.sections.length === 0 && state.value.days.length === 0
  const found = searchMemory(state.value, query.value, (date, heading) => contents.get(dayKey(date, heading)) ?? null)
  const { days } = found
  const titles = state.value.sections.flatMap(({ title }) => title ?? [])
  return (
    <div class="screen-body memory">
      <div class="memory-tools">
        <label class="visually-hidden" for="memory-search">
          Search the memory
        </label>
        <input
          id="memory-search"
          class="field"
          type="search"
          placeholder="Search the memory"
          autocomplete="off"
          bind:value={query}
        />
        <button
          type="button"
          class="button is-primary"
          onClick$={() => {
            adding.value = ""
          }}
        >
          <Icon name="plus" />
          <span>Add a memory</span>
        </button>
      </div>
      {status === "loading" && <LoadingState label="Reading the memory…" />}
      {status === "failed" && (
        <ErrorState title="The memory could not be read" text={message ?? ""} onRetry$={() => store.load()} />
      )}
      {status === "ready" && isEmpty && (
        <EmptyState
          icon="brain"
          title="Nothing is remembered yet"
          text="Agents write down what is worth keeping. You can add something yourself."
        />
      )}
      {status === "ready" && !isEmpty && found.sections.length === 0 && found.days.length === 0 && (
        <EmptyState icon="search" title="Nothing has these words" text="Try fewer or other words." />
      )}
      {status === "ready" && !isEmpty && (
        <div class="memory-columns">
          <div class="memory-sections">
            {found.sections.map((section) => {
              const { id, title } = section
              const own = edits.filter((edit) => edit.section === title)
              return <MemorySectionCard key={id} section={section} edits={own} onAdd$={add} />
            })}
          </div>
          {days.length > 0 && <MemoryDays days={days} contents={contents} searching={query.value !== ""} />}
        </div>
      )}
      {adding.value !== null && (
        <AddMemoryDialog
          section={adding.value}
          sections={titles}
          onClose$={() => {
            adding.value = null
          }}
        />
      )}
    </div>
  )
})
