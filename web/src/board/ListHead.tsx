import { component$ } from "@builder.io/qwik"
import { TASK_SORTS, type TaskSort } from "../../../src/contract/board.ts"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { nextSort } from "../core/board/listOrder.ts"
import { sortFrom, withSort } from "../core/board/viewAddress.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { withSearch } from "./boardPath.ts"

const HEADS: Readonly<Record<TaskSort, string>> = {
  title: say("Title"),
  status: say("Status"),
  priority: say("Priority"),
  assignee: say("Assignee"),
  labels: say("Labels"),
  due: say("Due"),
  updated: say("Updated"),
  cost: say("Cost")
}

/** The list's headings; pressing one sorts by it. */
export const ListHead = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const sort = sortFrom(location.value.search)
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th class="list-select">
          <span class="visually-hidden">{say("Selected")}</span>
        </th>
        {TASK_SORTS.map((by) => {
          const isSorted = sort?.by === by
          const order = !isSorted ? "none" : sort.descending ? "descending" : "ascending"
          return (
            <th key={by} scope="col" class={`list-${by}`} aria-sort={order}>
              <button
                type="button"
                class="list-sort"
                onClick$={() => {
                  const { search } = app.router.location.get()
                  app.router.navigate(withSearch(app, withSort(search, nextSort(sortFrom(search), by))))
                }}
              >
                <span>{HEADS[by]}</span>
                {isSorted && <Icon name={sort.descending ? "arrow-down" : "arrow-up"} />}
              </button>
            </th>
          )
        })}
        <th class="list-menu">
          <span class="visually-hidden">{say("Actions")}</span>
        </th>
      </tr>
    </thead>
  )
})
