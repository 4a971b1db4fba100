import { component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { matchRoute } from "../base/routes.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { isFiltering } from "../core/board/boardFilter.ts"
import type { Task } from "../core/board/boardTypes.ts"
import { columnTitle, countText, isFull } from "../core/board/columns.ts"
import { quotedTitle } from "../core/common/phrases.ts"
import { say } from "../core/language/say.ts"
import { BoardColumn, ColumnTabs } from "./BoardColumn.tsx"
import { useBoard } from "./BoardContext.ts"
import { announce, requestMove } from "./boardActions.ts"
import { boardView } from "./boardView.ts"
import { createFocusTracker, markSelected } from "./cardElements.ts"
import { cardInput, keepOneStop } from "./cardInput.ts"
import { type DropSpot, mouseDrag, touchDrag } from "./dragCards.ts"
import { startAfter } from "./flowActions.ts"

/** Marks the link of the card that is open beside the board. */
const markOpen = (board: HTMLElement, link: Element | null): void => {
  const marked = board.querySelector(".card-title[aria-current]")
  if (marked === link) return
  marked?.removeAttribute("aria-current")
  link?.setAttribute("aria-current", "true")
}

/** Brings the card of a link into view. */
const showCard = (board: HTMLElement, link: Element): void => {
  // The panel is laid out first. The board scrolls sideways only when the card would be cut off, and then to the start of
  // the card's column, so that no column is cut there.
  requestAnimationFrame(() => {
    const column = link.closest(".column")
    const { left = 0, right = 0 } = column?.getBoundingClientRect() ?? {}
    const frame = board.getBoundingClientRect()
    const isCut = left < frame.left || right > frame.right
    link.closest(".card")?.scrollIntoView({ block: "nearest", inline: "nearest" })
    if (isCut) column?.scrollIntoView({ block: "nearest", inline: "start" })
  })
}

/** The columns side by side; this is where cards are navigated, moved and dragged. */
export const BoardLanes = component$<{ readonly now: number }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const location = useReadable(app.router.location)
  const lanes = useSignal<HTMLElement>()
  const focus = useConstant(() => createFocusTracker())
  /** The open card that was brought into view. */
  const shown = useConstant<{ id: string | null }>(() => ({ id: null }))

  useBrowserTask$(({ cleanup }) => {
    const element = lanes.value
    if (element === undefined) return
    /** The dragged card as it was lifted. */
    let lifted: Task | null = null
    const hooks = {
      onStart: (id: string) => {
        ui.kept.value = id
        lifted = ui.store.find(id)
        const title = lifted?.title
        announce(ui, title === undefined ? say("Moving a card.") : say("Moving {title}.", { title }))
      },
      onDrop: (id: string, spot: DropSpot | null) => {
        if (spot === null) return announce(ui, say("The card stays where it was."))
        if (spot.onto !== null) return void startAfter(app, ui, id, spot.onto)
        const chosen = ui.selected.value
        const ids = chosen.has(id) ? [...chosen] : [id]
        const now = ui.store.find(id)?.status ?? null
        const isElsewhere = lifted !== null && now !== lifted.status && now !== spot.status && ids.length === 1
        requestMove(app, ui, ids, spot.status, spot.place, isElsewhere ? now : null)
      },
      onGone: (id: string) => {
        const now = ui.store.find(id)
        const title = quotedTitle((now ?? lifted)?.title ?? "")
        if (now === null) return app.notices.show("info", say("Someone else deleted {title}.", { title }))
        if (now.status === lifted?.status) return announce(ui, say("The card stays where it was."))
        const column = columnTitle(ui.state.value.config, now.status)
        app.notices.show("info", say("Someone else moved {title} to {column}. It stays there.", { title, column }))
      }
    }
    cleanup(focus.follow(element))
    for (const stop of [cardInput(element, app, ui, focus), mouseDrag(element, hooks), touchDrag(element, hooks)])
      cleanup(stop)
  })
  useBrowserTask$(({ track }) => {
    const { segments } = matchRoute(track(() => [ui.state.value, location.value, ui.drawn.value] as const)[1])
    const selected = track(() => ui.selected.value)
    const open = segments[0] ?? null
    if (open === null) shown.id = null
    else if (open !== shown.id) ui.kept.value = open
    const element = lanes.value
    if (element === undefined) return
    requestAnimationFrame(() => {
      keepOneStop(element)
      markSelected(element, selected)
      const link = open === null ? null : element.querySelector(`[data-task="${CSS.escape(open)}"] .card-title`)
      markOpen(element, link)
      if (link !== null && open !== shown.id) {
        shown.id = open
        showCard(element, link)
      }
      focus.restore()
    })
  })

  const view = boardView(ui.state.value, location.value.search, props.now)
  const { columns, saving } = ui.state.value
  const filtering = isFiltering(view.filter)
  const tabs = view.drawn.map(({ key, title, wipLimit }) => {
    const total = columns[key].length
    const counted = countText({ shown: view.cards[key].length, total, wipLimit, filtering })
    return { key, title, counted, isFull: isFull(total, wipLimit) }
  })
  return (
    <>
      <ColumnTabs tabs={tabs} />
      <div ref={lanes} class={["board", ui.selecting.value && "is-selecting"]} role="group" aria-label={say("Columns")}>
        {view.drawn.map((column) => {
          const { key } = column
          const tasks = view.cards[key]
          const total = columns[key].length
          return (
            <BoardColumn
              key={key}
              column={column}
              tasks={tasks}
              total={total}
              saving={saving}
              now={props.now}
              filtering={filtering}
            />
          )
        })}
      </div>
    </>
  )
})
