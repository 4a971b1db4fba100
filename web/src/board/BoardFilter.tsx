import { component$, useSignal } from "@builder.io/qwik"
import { TASK_PRIORITIES } from "../../../src/contract/board.ts"
import { wordOf } from "../../../src/contract/looseFields.ts"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { assigneesOf, filterFrom, isFiltering, labelsOf, NO_FILTER, withParam } from "../core/board/boardFilter.ts"
import { actorText, priorityText } from "../core/board/boardText.ts"
import { isShownAsSaved, layoutFrom, viewIdFrom, viewStateFrom, withLayout } from "../core/board/viewAddress.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { Select } from "../ui/Select.tsx"
import { useBoard } from "./BoardContext.ts"
import { saveShown } from "./boardActions.ts"
import { boardPath, boardView, filterBy, filterOf, withSearch } from "./boardView.ts"
import { ViewTabs } from "./ViewTabs.tsx"
import "../ui/searchField.css"
import "../ui/tabs.css"

/** Saves what is shown, as a new view or into the one that was changed; nothing where there's nothing to save. */
const SaveView = component$(() => {
  const app = useServices()
  const ui = useBoard()
  const location = useReadable(app.router.location)
  const views = useReadable(ui.views.state)
  const { search } = location.value
  const opened = views.value.find(({ id }) => id === viewIdFrom(search))
  const { filter, layout, sort } = viewStateFrom(search)
  if (opened !== undefined)
    return isShownAsSaved(opened, search) ? null : (
      <button
        type="button"
        class="button is-small"
        onClick$={async () => {
          const problem = await saveShown(app, ui, opened.id, opened.name)
          if (problem !== null) app.notices.show("error", problem)
        }}
      >
        {say("Save changes")}
      </button>
    )
  if (!isFiltering(filter) && sort === null && layout === "board") return null
  return (
    <a class="button is-small" href={boardPath(app, { panel: "view" })} data-keep-search>
      {say("Save view")}
    </a>
  )
})

/** Shows the cards as columns or as a list. */
const LayoutSwitch = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const { search } = location.value
  const layout = layoutFrom(search)
  return (
    <nav class="segmented no-shrink layout-switch" aria-label={say("Layout")}>
      <a
        href={withSearch(app, withLayout(search, "board"))}
        aria-current={layout === "board" ? "true" : undefined}
        title={say("Show as columns")}
      >
        <Icon name="kanban" />
        <span class="visually-hidden">{say("Show as columns")}</span>
      </a>
      <a
        href={withSearch(app, withLayout(search, "list"))}
        aria-current={layout === "list" ? "true" : undefined}
        title={say("Show as a list")}
      >
        <Icon name="menu" />
        <span class="visually-hidden">{say("Show as a list")}</span>
      </a>
    </nav>
  )
})

const STARTS = [
  { value: "ready", label: say("Ready"), title: say("Cards that could start now") },
  { value: "blocked", label: say("Blocked"), title: say("Cards that wait for something") }
] as const

/** Labels offered as filters. */
const OFFERED_LABELS = 100

/** Which cards are shown and how: saved views, search and filters. */
export const BoardFilter = component$(() => {
  const app = useServices()
  const ui = useBoard()
  const location = useReadable(app.router.location)
  const search = useSignal<HTMLInputElement>()
  /** Where they have no room beside the search, the choices stand below it when they are wanted. */
  const isOpen = useSignal(false)
  const filter = filterFrom(location.value.search)
  const { columns } = ui.state.value

  useBrowserTask$(({ cleanup }) => {
    const field = search.value
    const onInput = () => {
      filterBy(app, { q: field?.value ?? "" }, { replace: true })
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && field !== undefined && field.value !== "") {
        event.stopPropagation()
        field.value = ""
        onInput()
      }
      if (event.key === "ArrowDown") {
        event.preventDefault()
        document.querySelector<HTMLElement>(".board .card-title")?.focus()
      }
    }
    field?.addEventListener("input", onInput)
    field?.addEventListener("keydown", onKey)
    cleanup(() => {
      field?.removeEventListener("input", onInput)
      field?.removeEventListener("keydown", onKey)
    })
  })

  const priorityValue = filter.priorities.join(",")
  const { assignee: owner } = filterFrom(location.value.search)
  const priorities = [
    { value: "", label: say("Any priority") },
    { value: "critical,high", label: say("High and critical") },
    ...TASK_PRIORITIES.map((priority) => ({ value: priority, label: priorityText(priority) }))
  ]
  const people = [
    { value: "", label: say("Anyone") },
    { value: "none", label: say("Unassigned") },
    ...assigneesOf(columns).map((actor) => ({ value: actor, label: actorText(actor) }))
  ]
  const labels = [
    { value: "", label: filter.labels.length === 0 ? say("Any label") : say("Another label") },
    ...labelsOf(columns)
      .filter((label) => !filter.labels.includes(label))
      .slice(0, OFFERED_LABELS)
      .map((label) => ({ value: label, label }))
  ]
  const hidden = boardView(ui.state.value, location.value.search, 0).hidden.filter(({ key }) => columns[key].length > 0)
  const everyColumn = withSearch(app, withParam(location.value.search, "columns", "all"))

  return (
    <>
      <ViewTabs />
      <search
        class={["row wrap gap-2 no-shrink board-filter", isOpen.value && "is-open"]}
        aria-label={say("Filter the board")}
      >
        <LayoutSwitch />
        <label class="field-search board-search">
          <span class="visually-hidden">{say("Search cards")}</span>
          <Icon name="search" />
          <input
            ref={search}
            type="search"
            class="field"
            placeholder={say("Search cards")}
            value={filter.q}
            data-board-search
          />
        </label>
        <button
          type="button"
          class={["button filter-toggle", isFiltering(filter) && "is-on"]}
          aria-label={say("Filters")}
          title={say("Filters")}
          aria-expanded={isOpen.value ? "true" : "false"}
          aria-controls="board-choices"
          onClick$={() => {
            isOpen.value = !isOpen.value
          }}
        >
          <Icon name="sliders" />
          <span>{say("Filters")}</span>
        </button>
        <div id="board-choices" class="board-choices">
          <Select
            id="filter-priority"
            label={say("Priority")}
            value={priorityValue}
            options={priorities}
            onChange$={(value) =>
              filterBy(app, { priorities: value.split(",").flatMap((word) => wordOf(TASK_PRIORITIES, word) ?? []) })
            }
          />
          <Select
            id="filter-assignee"
            label={say("Assignee")}
            value={owner}
            options={people}
            onChange$={(assignee) => filterBy(app, { assignee })}
          />
          <Select
            id="filter-label"
            label={say("Label")}
            value=""
            options={labels}
            onChange$={(value) => filterBy(app, { labels: [...filterOf(app).labels, value] })}
          />
          {filter.labels.map((label) => (
            <button
              key={label}
              type="button"
              class="button filter-label"
              aria-label={say("Stop filtering by the label {label}", { label })}
              onClick$={() => {
                filterBy(app, { labels: filterOf(app).labels.filter((one) => one !== label) })
                // This button disappears.
                document.getElementById("filter-label")?.focus()
              }}
            >
              <span>{label}</span>
              <Icon name="x" />
            </button>
          ))}
          <button
            type="button"
            class="button is-small"
            aria-pressed={filter.overdue ? "true" : "false"}
            onClick$={() => filterBy(app, { overdue: !filterOf(app).overdue })}
          >
            {say("Overdue")}
          </button>
          {STARTS.map(({ label, title, value }) => (
            <button
              key={value}
              type="button"
              class="button is-small"
              title={title}
              aria-pressed={filter.start === value ? "true" : "false"}
              onClick$={() => filterBy(app, { start: filterOf(app).start === value ? null : value })}
            >
              {label}
            </button>
          ))}
        </div>
        {hidden.length > 0 && (
          <nav class="wrap gap-2 no-shrink push-end hidden-columns" aria-label={say("Hidden columns")}>
            {hidden.map(({ key, title }) => (
              <a
                key={key}
                class="button is-small"
                href={everyColumn}
                title={say("Show hidden column {title}", { title })}
              >
                <Icon name="eye-off" />
                <span>{title}</span>
                <span class="column-count">{String(columns[key].length)}</span>
              </a>
            ))}
          </nav>
        )}
        {isFiltering(filter) && (
          <button type="button" class="button is-small" onClick$={() => filterBy(app, NO_FILTER)}>
            <Icon name="x" />
            <span>{say("Clear filters")}</span>
          </button>
        )}
        <SaveView />
      </search>
    </>
  )
})
