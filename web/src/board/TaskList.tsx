import { component$, useSignal } from "@builder.io/qwik"
import { TASK_SORTS, type TaskSort } from "../../../src/contract/board.ts"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import { useServices } from "../base/AppContext.ts"
import { taskPath } from "../base/routes.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { isOverdue } from "../core/board/boardFilter.ts"
import { actorText, dueText, priorityText } from "../core/board/boardText.ts"
import { isRunning, runTook, type Task } from "../core/board/boardTypes.ts"
import { columnTitle } from "../core/board/columns.ts"
import { type ListRow, listRows, nextSort, shownRows } from "../core/board/listOrder.ts"
import { sortFrom, withSort } from "../core/board/viewAddress.ts"
import { waitNote } from "../core/board/waitText.ts"
import { money } from "../core/common/numberText.ts"
import { relativeTime } from "../core/common/timeText.ts"
import { say } from "../core/language/say.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { Glyph, Icon } from "../ui/Icon.tsx"
import { useBoard } from "./BoardContext.ts"
import { boardView, withSearch } from "./boardView.ts"
import { CardTally, CardWaitNote, hasRunState, PriorityMark, RunState, RunTook } from "./CardFacts.tsx"
import { markSelected } from "./cardElements.ts"
import { listInput } from "./cardInput.ts"

interface ListTaskRowProps {
  readonly task: Task
  readonly place: number
  readonly now: number
}

/** A card as a row. The list's own listeners handle its clicks and keys. */
const ListTaskRow = component$<ListTaskRowProps>((props) => {
  const ui = useBoard()
  const costs = useReadable(ui.costs)
  const { task, place, now } = props
  const { config } = ui.state.value
  const title = markUnseen(task.title, "prose")
  const took = runTook(task)
  const wait = isRunning(task) ? null : waitNote(task, Date.now())
  const cost = costs.value.get(task.id)
  const overdue = isOverdue(task, now)
  const priority = task.priority
  const status = columnTitle(config, task.status)
  const owner = task.assignee === null ? null : actorText(task.assignee)
  return (
    <tr class="list-row card" data-task={task.id} aria-rowindex={place}>
      <td class="list-select">
        <input type="checkbox" tabIndex={-1} aria-label={say("Select {title}", { title: title })} data-card-tick />
      </td>
      <th scope="row" class="list-title">
        <div class="row gap-3 can-shrink list-name">
          <a class="card-title" href={taskPath(task.id)} tabIndex={-1} draggable={false}>
            {title}
          </a>
          <span class="wrap can-shrink soft tiny card-facts">
            {hasRunState(task) && <RunState task={task} />}
            {wait !== null && <CardWaitNote text={wait} />}
            {took !== null && <RunTook ms={took} />}
            <CardTally task={task} />
          </span>
        </div>
      </th>
      <td class="list-status">
        <button type="button" class="list-cell" tabIndex={-1} data-field="status" aria-haspopup="menu">
          <span class="visually-hidden">{say("Status:")}</span>
          <span>{status}</span>
        </button>
      </td>
      <td class="list-priority">
        <button type="button" class="list-cell" tabIndex={-1} data-field="priority" aria-haspopup="menu">
          <PriorityMark priority={priority} />
          <span class="visually-hidden">{say("Priority:")}</span>
          <span>{priorityText(task.priority)}</span>
        </button>
      </td>
      <td class="list-assignee">
        <button type="button" class="list-cell" tabIndex={-1} data-field="assignee" aria-haspopup="menu">
          <span class="visually-hidden">{say("Assignee:")}</span>
          <span>{owner ?? say("Nobody")}</span>
        </button>
      </td>
      <td class="list-labels">
        {task.labels.slice(0, 3).map((label) => (
          <span key={label} class="label-chip">
            {label}
          </span>
        ))}
      </td>
      <td class={["list-due", overdue && "is-overdue"]}>
        <span>{task.dueAt === null ? "" : dueText(task.dueAt, now)}</span>
      </td>
      <td class="list-updated">
        <span>{relativeTime(task.updatedAt, now)}</span>
      </td>
      <td class="list-cost">
        <span>{cost === undefined ? "" : money(cost)}</span>
      </td>
      <td class="list-menu">
        <button
          type="button"
          class="icon-button card-menu"
          tabIndex={-1}
          aria-haspopup="menu"
          aria-label={say("Actions for {title}", { title: title })}
          data-card-menu
        >
          <Glyph name="ellipsis" />
        </button>
      </td>
    </tr>
  )
})

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
const ListHead = component$(() => {
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

/** The board as a list: one row for each card, grouped by column. */
export const TaskList = component$<{ readonly now: number }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const location = useReadable(app.router.location)
  const costs = useReadable(ui.costs)
  const { search } = location.value
  const view = boardView(ui.state.value, search, props.now)
  const rows = listRows(view.drawn, view.cards, sortFrom(search), costs.value)
  if (rows.length === 0)
    return (
      <EmptyState
        icon="kanban"
        title={say("No cards to show")}
        text={say("No card matches the filter. Clear it to see them all.")}
      />
    )
  return <ListRows rows={rows} now={props.now} />
})

/** Pixels of a row: one line, and two on a phone. */
const ROW = 40
const PHONE_ROW = 58
const PHONE = "(max-width: 760px)"

/** Of however many rows, only those in sight are drawn. */
const ListRows = component$<{ readonly rows: ReadonlyArray<ListRow>; readonly now: number }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const scroller = useSignal<HTMLElement>()
  const row = useSignal(() => (matchMedia(PHONE).matches ? PHONE_ROW : ROW))
  const range = useSignal({ from: 0, to: 40 })

  useBrowserTask$(({ cleanup }) => {
    const element = scroller.value
    if (element === undefined) return
    const look = () => {
      const seen = { top: element.scrollTop, height: element.clientHeight, row: row.value }
      const next = shownRows(props.rows.length, seen)
      if (next.from !== range.value.from || next.to !== range.value.to) range.value = next
    }
    const phone = matchMedia(PHONE)
    const onSize = () => {
      row.value = phone.matches ? PHONE_ROW : ROW
      look()
    }
    const reveal = (index: number) => {
      const head = element.querySelector("thead")?.clientHeight ?? 0
      const top = index * row.value
      if (top < element.scrollTop) element.scrollTop = top
      const bottom = top + row.value + head - element.clientHeight
      if (bottom > element.scrollTop) element.scrollTop = bottom
      look()
    }
    const watch = new ResizeObserver(look)
    watch.observe(element)
    phone.addEventListener("change", onSize)
    element.addEventListener("scroll", look, { passive: true })
    const stop = listInput(element, app, ui, { rows: () => props.rows, reveal })
    cleanup(() => {
      watch.disconnect()
      phone.removeEventListener("change", onSize)
      element.removeEventListener("scroll", look)
      stop()
    })
    look()
  })
  useBrowserTask$(({ track }) => {
    track(() => [range.value, props.rows])
    const selected = track(() => ui.selected.value)
    const element = scroller.value
    if (element === undefined) return
    requestAnimationFrame(() => {
      markSelected(element, selected)
      const stop = element.querySelector<HTMLElement>('.card-title[tabindex="0"]')
      if (stop === null) element.querySelector<HTMLElement>(".card-title")?.setAttribute("tabindex", "0")
    })
  })

  const { rows, now } = props
  /** A column that no card fills leaves its room to the title. */
  const has = (isFilled: (task: Task) => boolean) => rows.some((entry) => entry.kind === "task" && isFilled(entry.task))
  const isDue = ({ dueAt }: Task) => dueAt !== null
  const from = Math.min(range.value.from, Math.max(0, rows.length - 1))
  const to = Math.min(range.value.to, rows.length)
  const before = from * row.value
  const after = (rows.length - to) * row.value
  return (
    <div
      ref={scroller}
      class={["board task-list", ui.selecting.value && "is-selecting"]}
      style={{ "--row": `${row.value}px` }}
    >
      <table
        class={["task-table", !has((task) => task.labels.length > 0) && "no-labels", !has(isDue) && "no-due"]}
        aria-label={say("Cards")}
        aria-rowcount={rows.length + 1}
      >
        <ListHead />
        <tbody>
          {before > 0 && <Space key="before" height={before} />}
          {rows.slice(from, to).map((entry, index) => {
            const { key } = entry
            return <ListEntry key={key} row={entry} place={from + index + 2} now={now} />
          })}
          {after > 0 && <Space key="after" height={after} />}
        </tbody>
      </table>
    </div>
  )
})

const Space = component$<{ readonly height: number }>((props) => (
  <tr class="list-space">
    <td style={{ blockSize: `${props.height}px` }} />
  </tr>
))

interface ListEntryProps {
  readonly row: ListRow
  /** Among all rows, the heading's being the first. */
  readonly place: number
  readonly now: number
}

const ListEntry = component$<ListEntryProps>((props) => {
  const { now, place, row } = props
  if (row.kind === "task") {
    const { task } = row
    return <ListTaskRow task={task} place={place} now={now} />
  }
  return (
    <tr class="list-group" aria-rowindex={place}>
      <th scope="rowgroup" colSpan={4}>
        <span>{row.title}</span>
        <span class="column-count">{String(row.count)}</span>
      </th>
    </tr>
  )
})
