import { component$, type QRL, useSignal } from "@builder.io/qwik"
import { SEARCH_KINDS } from "../../../src/contract/search.ts"
import { say } from "../core/language/say.ts"
import { placeName } from "../core/search/groupHits.ts"
import { hasFilter, valueOf, withToggled, withValue } from "../core/search/searchWords.ts"
import { Icon } from "../ui/Icon.tsx"
import { Select, type SelectOption } from "../ui/Select.tsx"

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
export const SearchFilters = component$<SearchFiltersProps>((props) => (
  <div class="flex wrap gap-2 search-filters" role="group" aria-label={say("Filters")}>
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

/** The words of the field that the choices below stand for. */
const CHOICES = ["from", "after", "agent", "sort"]

/** By whom, from when and in which order; words in the field like the filters, and behind one button on a phone. */
export const SearchChoices = component$<SearchFiltersProps & { readonly agents: ReadonlyArray<string> }>((props) => {
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
      <div id="search-choices" class={["search-choices", isOpen.value && "is-open"]}>
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
