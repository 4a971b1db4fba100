import { component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { type ListRow, listRows, shownRows } from "../core/board/listOrder.ts"
import { sortFrom } from "../core/board/viewAddress.ts"
import { say } from "../core/language/say.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { useBoard } from "./BoardContext.ts"
import { boardView } from "./boardView.ts"
import { ListHead } from "./ListHead.tsx"
import { ListTaskRow } from "./ListTaskRow.tsx"
import { listInput } from "./listInput.ts"
import { markSelected } from "./markSelected.ts"
import "./list.css"

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
      <table class="task-table" aria-label={say("Cards")} aria-rowcount={rows.length + 1}>
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
