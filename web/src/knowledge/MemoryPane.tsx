import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useFindQuery } from "../base/useFindQuery.ts"
import { useReadable } from "../base/useReadable.ts"
import { firstRun } from "../core/client/firstRun.ts"
import { below } from "../core/common/basePath.ts"
import { listInSentence } from "../core/common/phrases.ts"
import { dayKey } from "../core/knowledge/MemoryStore.ts"
import { searchMemory } from "../core/knowledge/memoryView.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { AddMemoryDialog } from "./AddMemoryDialog.tsx"
import { MemoryDays } from "./MemoryDays.tsx"
import { MemorySectionCard } from "./MemorySectionCard.tsx"
import { MemorySource } from "./MemorySource.tsx"
import "./memory.css"
import { say, sayCount } from "../core/language/say.ts"
import { useKnowledge } from "./KnowledgeContext.ts"
import "../ui/searchField.css"

const damagedNote = (files: ReadonlyArray<string>): string =>
  sayCount(
    files.length,
    "{files} has characters that aren't UTF-8, shown as �. You can read it here, but not change it. Save it as UTF-8 to edit it.",
    "{files} have characters that aren't UTF-8, shown as �. You can read them here, but not change them. Save them as UTF-8 to edit them.",
    { files: listInSentence(files) }
  )

/** The file of the long-term memory. */
const LONG_TERM = "MEMORY.md"

/** What the agent remembers: long-term memory in sections, and the latest days. */
export const MemoryPane = component$(() => {
  const app = useServices()
  const knowledge = useKnowledge()
  const store = useConstant(() => knowledge.memory)
  const state = useReadable(store.state, { perFrame: true })
  const query = useFindQuery()
  /** The section for a new memory; null while none is being added. */
  const adding = useSignal<string | null>(null)

  useBrowserTask$(({ cleanup }) => cleanup(store.watch()))
  // The days' text is only loaded for a search.
  useBrowserTask$(({ track, cleanup }) => {
    if (track(() => query.value.trim()) === "") return
    const timer = setTimeout(() => void store.readDays(), 250)
    cleanup(() => clearTimeout(timer))
  })

  useCommands(() => [
    {
      id: "memory.add",
      label: say("Add a memory"),
      group: say("Memory"),
      keys: "n",
      keywords: "remember new",
      run: () => {
        adding.value = ""
      }
    },
    {
      id: "memory.search",
      label: say("Search memory"),
      group: say("Memory"),
      keys: "f",
      run: () => document.getElementById("memory-search")?.focus()
    }
  ])

  const add = $((section: string) => {
    adding.value = section
  })

  const hasNoGateway = useReadable(useConstant(() => firstRun(app.client)))
  const { status, message, contents, previews, edits } = state.value
  const isEmpty = state.value.sections.length === 0 && state.value.days.length === 0
  const found = searchMemory(state.value, query.value, (date, heading) => contents.get(dayKey(date, heading)) ?? null)
  const days = [...found.days]
  const titles = state.value.sections.flatMap(({ title }) => title ?? [])
  return (
    <div class="screen-body flex-column gap-5 memory">
      <div class="wrap space-between gap-3 memory-tools">
        <label class="visually-hidden" for="memory-search">
          {say("Search memory")}
        </label>
        <div class="field-search">
          <Icon name="search" />
          <input
            id="memory-search"
            class="field"
            type="search"
            placeholder={say("Search memory")}
            autocomplete="off"
            bind:value={query}
          />
        </div>
        <button
          type="button"
          class="button is-small is-primary"
          onClick$={() => {
            adding.value = ""
          }}
        >
          <Icon name="plus" />
          <span>{say("Add a memory")}</span>
        </button>
      </div>
      {status === "loading" && <LoadingState label={say("Loading the memory…")} />}
      {status === "failed" && (
        <ErrorState title={say("Couldn't load the memory")} text={message ?? ""} onRetry$={() => store.load()} />
      )}
      {state.value.damagedFiles.length > 0 && (
        <p class="memory-damaged" role="status">
          <Icon name="triangle-alert" />
          <span>{damagedNote(state.value.damagedFiles)}</span>
        </p>
      )}
      {status === "ready" && isEmpty && hasNoGateway.value && (
        <EmptyState
          icon="brain"
          title={say("The memory can't be read yet")}
          text={say("It's there once the console is connected to its gateway.")}
        >
          <a class="button" href={below("/chat")}>
            {say("Connect to your gateway")}
          </a>
        </EmptyState>
      )}
      {status === "ready" && isEmpty && !hasNoGateway.value && (
        <EmptyState
          icon="brain"
          title={say("No memories yet")}
          text={say("Agents save what's worth remembering. You can add memories, too.")}
        />
      )}
      {status === "ready" && !isEmpty && found.sections.length === 0 && found.days.length === 0 && (
        <EmptyState icon="search" title={say("No results")} text={say("Try fewer or different words.")} />
      )}
      {status === "ready" && !isEmpty && (
        <div class="stack gap-5 memory-columns">
          <div class="stack gap-4 can-shrink memory-sections">
            {found.sections.length > 0 && (
              <div class="row wrap space-between gap-3">
                <h2>{say("Long-term memory")}</h2>
                <MemorySource path={LONG_TERM} />
              </div>
            )}
            {found.sections.map((section) => {
              const { id, title } = section
              const ofSection = edits.filter((edit) => edit.section === title)
              return <MemorySectionCard key={id} section={section} edits={ofSection} onAdd$={add} />
            })}
          </div>
          {days.length > 0 && (
            <MemoryDays days={days} contents={contents} previews={previews} searching={query.value !== ""} />
          )}
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
