import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { SEARCH_KINDS } from "../../../src/contract/search.ts"
import { useServices } from "../base/AppContext.ts"
import { afterFrames } from "../base/afterFrames.ts"
import { matchRoute } from "../base/routes.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import { useSelected } from "../base/useSelected.ts"
import type { Command } from "../core/commands/CommandRegistry.ts"
import { say } from "../core/language/say.ts"
import { placeName } from "../core/search/groupHits.ts"
import { searchOf } from "../core/search/searchOf.ts"
import { pausedText, searchText } from "../core/search/searchText.ts"
import { hasFilter, valueOf, withToggled, withValue } from "../core/search/searchWords.ts"
import { Icon } from "../ui/Icon.tsx"
import { ScreenHead } from "../ui/ScreenHead.tsx"
import { Select, type SelectOption } from "../ui/Select.tsx"
import { searchPath } from "./hitPath.ts"
import { SearchResults } from "./SearchResults.tsx"
import "../ui/searchField.css"
import "./search.css"

/** The parts of the screen that keys move between. */
interface SearchKeys {
  readonly field: HTMLInputElement
  /** The element with the hits, each a link with `data-hit`. */
  readonly list: HTMLElement
  /** Searches at once; resolves when the hits are drawn. */
  readonly search: () => Promise<void>
  /** Loads more hits after the last one, and goes to the first of them. */
  readonly more: () => void
}

const linksIn = (list: HTMLElement) => [...list.querySelectorAll<HTMLAnchorElement>("a[data-hit]")]

/** Focuses a hit and brings it into view. */
const focusHit = (link: HTMLElement | undefined): void => {
  link?.focus({ preventScroll: true })
  link?.scrollIntoView({ block: "nearest" })
}

/** The focused hit or one beside it. */
const beside = (list: HTMLElement, step: number): HTMLAnchorElement | undefined => {
  const links = linksIn(list)
  const { activeElement } = document
  return activeElement instanceof HTMLAnchorElement ? links[links.indexOf(activeElement) + step] : undefined
}

/** Arrows walk from the field through the hits and back; Enter in the field goes to the first. */
const searchKeys = ({ field, list, search, more }: SearchKeys): (() => void) => {
  const onField = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") focusHit(linksIn(list)[0])
    else if (event.key === "Enter") {
      void search().then(() => {
        if (document.activeElement === field) focusHit(linksIn(list)[0])
      })
    } else return
    event.preventDefault()
  }
  const onList = (event: KeyboardEvent) => {
    const isHit = event.target instanceof Element && event.target.closest("a[data-hit]") !== null
    if (!isHit || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (event.key === "ArrowDown") {
      const next = beside(list, 1)
      if (next === undefined) more()
      else focusHit(next)
    } else if (event.key === "ArrowUp") {
      const before = linksIn(list)[0] === document.activeElement ? field : beside(list, -1)
      if (before === field) field.focus()
      else focusHit(before)
    } else if (event.key === "Home") focusHit(linksIn(list)[0])
    else if (event.key === "End") focusHit(linksIn(list).at(-1))
    else if (event.key === "Escape") field.focus()
    else return
    event.preventDefault()
  }
  field.addEventListener("keydown", onField)
  list.addEventListener("keydown", onList)
  return () => {
    field.removeEventListener("keydown", onField)
    list.removeEventListener("keydown", onList)
  }
}

const CHIPS = SEARCH_KINDS.map((kind) => ({
  filter: { name: "kind", value: kind },
  label: kind === "message" ? say("Messages") : placeName(kind)
}))

const AUTHORS = [
  { value: "", label: say("Anyone") },
  { value: "me", label: say("From me") },
  { value: "agent", label: say("From agents") },
  { value: "tool", label: say("From tools") }
]

const TIMES = [
  { value: "", label: say("Any time") },
  { value: "today", label: say("Today") },
  { value: "7d", label: say("Last 7 days") },
  { value: "30d", label: say("Last 30 days") },
  { value: "1y", label: say("Last year") }
]

const SORTS = [
  { value: "", label: say("Newest first") },
  { value: "relevance", label: say("Best match first") }
]

interface SearchFiltersProps {
  /** What is written in the field. */
  readonly text: string
  readonly onChange$: QRL<(text: string) => void>
}

interface FilterChoiceProps extends SearchFiltersProps {
  readonly name: string
  readonly label: string
  readonly options: ReadonlyArray<SelectOption>
}

const FilterChoice = component$<FilterChoiceProps>((props) => (
  <Select
    id={`search-${props.name}`}
    label={props.label}
    value={valueOf(props.text, props.name)}
    options={props.options}
    onChange$={(value) => props.onChange$(withValue(props.text, props.name, value))}
  />
))

/** The kinds as buttons; each is a word in the field, where it can be written, too. */
const SearchFilters = component$<SearchFiltersProps>((props) => (
  <div class="flex wrap gap-2 fading-end search-filters" role="group" aria-label={say("Filters")}>
    <button
      type="button"
      class="pill"
      aria-pressed={valueOf(props.text, "kind") === "" ? "true" : "false"}
      onClick$={() => props.onChange$(withValue(props.text, "kind", ""))}
    >
      {say("All")}
    </button>
    {CHIPS.map(({ filter, label }) => (
      <button
        key={label}
        type="button"
        class="pill"
        aria-pressed={hasFilter(props.text, filter) ? "true" : "false"}
        onClick$={() => props.onChange$(withToggled(props.text, filter))}
      >
        {label}
      </button>
    ))}
  </div>
))

/** The words of the field that the choices below represent. */
const CHOICES = ["from", "after", "agent", "sort"]

/** By whom, from when and in which order; words in the field like the filters, and behind one button on a phone. */
const SearchChoices = component$<SearchFiltersProps & { readonly agents: ReadonlyArray<string> }>((props) => {
  const { text, onChange$ } = props
  const isOpen = useSignal(false)
  const agents = [{ value: "", label: say("All agents") }, ...props.agents.map((id) => ({ value: id, label: id }))]
  const chosen = CHOICES.filter((name) => valueOf(text, name) !== "").length
  return (
    <>
      <button
        type="button"
        class="button is-small search-choose"
        aria-expanded={isOpen.value ? "true" : "false"}
        aria-controls="search-choices"
        onClick$={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <Icon name="sliders" />
        <span>{say("Filters")}</span>
        {chosen > 0 && <span class="count">{chosen}</span>}
      </button>
      <div id="search-choices" class={["row gap-2 search-choices", isOpen.value && "is-open"]}>
        <FilterChoice name="from" label={say("From")} options={AUTHORS} text={text} onChange$={onChange$} />
        <FilterChoice name="after" label={say("Time")} options={TIMES} text={text} onChange$={onChange$} />
        {agents.length > 2 && (
          <FilterChoice name="agent" label={say("Agent")} options={agents} text={text} onChange$={onChange$} />
        )}
        <FilterChoice name="sort" label={say("Order")} options={SORTS} text={text} onChange$={onChange$} />
      </div>
    </>
  )
})

const help = (keys: string, label: string): Command => ({
  id: `search.help ${keys}`,
  label,
  group: say("Search"),
  keys,
  helpOnly: true,
  run: () => {}
})

/** The keys of the search; `searchKeys` handles those that are only listed. */
const searchCommands = (focusField: () => void): ReadonlyArray<Command> => [
  { id: "search", label: say("Search everything"), group: say("Search"), keys: "/", keywords: "find", run: focusField },
  help("arrowdown", say("Next result")),
  help("arrowup", say("Previous result")),
  help("enter", say("Open the result"))
]

/** Finds anything that was said or written: conversations, cards, memory, documents and the agent log. */
export const SearchScreen = component$(() => {
  const app = useServices()
  const search = useConstant(() => searchOf(app.client))
  const { store } = search
  const state = useReadable(store.state)
  const agents = useSelected(app.client.sessions.state, ({ rows }) =>
    [...new Set(rows.map(({ agentId }) => agentId))].toSorted().join("\n")
  )
  const field = useSignal<HTMLInputElement>()
  const body = useSignal<HTMLElement>()
  const first = useConstant(() => matchRoute(app.router.location.get()).query.get("q") ?? "")
  useCommands(() => searchCommands(() => field.value?.select()))

  /** Writes a search into the field, and searches. */
  const write = $((text: string) => {
    if (field.value !== undefined) field.value.value = text
    void store.search(text)
  })

  useBrowserTask$(({ cleanup }) => {
    const input = field.value
    const scroller = body.value
    if (input === undefined || scroller === undefined) return
    const isReturn = search.place.text === first && store.state.get().shown === first
    const { selected, scrollTop } = search.place
    void store.search(first)
    if (isReturn) scroller.scrollTop = scrollTop
    const link = isReturn && selected !== null ? `a[data-hit="${CSS.escape(selected)}"]` : null
    const back = link === null ? null : scroller.querySelector<HTMLElement>(link)
    if (back === null) input.focus()
    else back.focus({ preventScroll: true })

    const keep = (change: Partial<typeof search.place>) => {
      search.place = { ...search.place, ...change }
    }
    const onInput = () => {
      store.type(input.value)
      scroller.scrollTop = 0
      keep({ text: input.value, selected: null, scrollTop: 0 })
    }
    const onScroll = () => keep({ text: input.value, scrollTop: scroller.scrollTop })
    const onFocus = (event: FocusEvent) => {
      const hit = event.target instanceof Element ? event.target.closest<HTMLElement>("a[data-hit]") : null
      if (hit !== null) keep({ text: input.value, selected: hit.dataset.hit ?? null })
    }
    const onClick = (event: MouseEvent) => {
      const hit = event.target instanceof Element ? event.target.closest<HTMLElement>("a[data-hit]") : null
      if (hit === null) return
      keep({ text: input.value, selected: hit.dataset.hit ?? null })
      search.remember(input.value)
    }
    input.addEventListener("input", onInput)
    scroller.addEventListener("scroll", onScroll, { passive: true })
    scroller.addEventListener("focusin", onFocus)
    scroller.addEventListener("click", onClick)
    cleanup(
      searchKeys({
        field: input,
        list: scroller,
        search: async () => {
          search.remember(input.value)
          await store.search(input.value)
          await new Promise<void>((resolve) => afterFrames(2, resolve))
        },
        more: () => {
          const shown = scroller.querySelectorAll("a[data-hit]").length
          void store
            .more()
            .then(() => afterFrames(2, () => focusHit(scroller.querySelectorAll<HTMLElement>("a[data-hit]")[shown])))
        }
      })
    )
    // Once per search: browsers allow only so many addresses within some seconds.
    cleanup(
      store.state.subscribe(({ status, text }) => {
        const { screen } = matchRoute(app.router.location.get())
        if (status !== "loading" && screen?.name === "search") app.router.navigate(searchPath(text), { replace: true })
      })
    )
    // The browser's own Back and Forward lead to other searches.
    cleanup(
      app.router.location.subscribe((location) => {
        const { screen, query } = matchRoute(location)
        const text = query.get("q") ?? ""
        if (screen?.name !== "search" || text === store.state.get().text) return
        input.value = text
        void store.search(text)
      })
    )
    cleanup(store.watch())
    cleanup(() => {
      input.removeEventListener("input", onInput)
      scroller.removeEventListener("scroll", onScroll)
      scroller.removeEventListener("focusin", onFocus)
      scroller.removeEventListener("click", onClick)
    })
  })

  return (
    <>
      <ScreenHead title={say("Search")} />
      <search class="stack gap-2 no-shrink border-bottom search-head" aria-label={say("Everything")}>
        <div class="field-search">
          <Icon name="search" />
          <input
            ref={field}
            class="field"
            type="search"
            value={first}
            placeholder={say("Search everything")}
            aria-label={say("Search everything")}
            aria-describedby="search-state"
            autocomplete="off"
            spellcheck={false}
            enterKeyHint="search"
            maxLength={1000}
            data-search
          />
        </div>
        <SearchFilters text={state.value.text} onChange$={write} />
        <div class="row gap-2 search-line">
          <p id="search-state" class="search-state" role="status">
            {searchText(state.value)}
          </p>
          <SearchChoices text={state.value.text} agents={agents.value.split("\n")} onChange$={write} />
        </div>
        {state.value.paused !== null && <p class="search-paused">{pausedText(state.value.paused)}</p>}
      </search>
      <div ref={body} class="screen-body search-body">
        <SearchResults onChoose$={write} />
      </div>
    </>
  )
})
