import { component$, useConstant, useSignal } from "@builder.io/qwik"
import { PRIMARY } from "../../../src/contract/qualifiedKey.ts"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { agentsOf } from "../core/agents/agentList.ts"
import type { Task } from "../core/board/boardTypes.ts"
import { columnLabel, countText, emptyText, isFull, type ShownColumn } from "../core/board/columns.ts"
import { below } from "../core/common/basePath.ts"
import { markOf } from "../core/gateways/gatewayMark.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { useShownTab } from "../ui/useShownTab.ts"
import { useBoard } from "./BoardContext.ts"
import { TaskCard } from "./TaskCard.tsx"
import { useDrawnCards } from "./useDrawnCards.ts"

interface BoardColumnProps {
  readonly column: ShownColumn
  readonly tasks: ReadonlyArray<Task>
  /** Cards in the column, shown or not. */
  readonly total: number
  /** Cards with a change in progress. */
  readonly saving: ReadonlySet<string>
  readonly now: number
  readonly filtering: boolean
}

/** A board column with its cards. */
export const BoardColumn = component$<BoardColumnProps>((props) => {
  const app = useServices()
  const gateways = useReadable(app.client.gateways)
  const costs = useReadable(useBoard().costs)
  const agents = useReadable(useConstant(() => agentsOf(app.client, PRIMARY)))
  const list = useSignal<HTMLElement>()
  const drawn = useDrawnCards(list, () => props.tasks)
  const { key, title, wipLimit } = props.column
  const cards = drawn.value
  const count = { shown: props.tasks.length, total: props.total, wipLimit, filtering: props.filtering }
  const label = columnLabel(title, count)
  const counted = countText(count)
  const empty = emptyText(key, props.filtering)
  return (
    <section class="column" data-column={key} aria-label={label}>
      <header class="row gap-2 no-shrink column-head">
        <h2>{title}</h2>
        <span class={["column-count", isFull(props.total, wipLimit) && "is-full"]}>{counted}</span>
        <a
          class="icon-button push-end column-add"
          href={below(`/board?panel=new&status=${key}`)}
          data-keep-search
          aria-label={say("New card in {title}", { title })}
          title={say("New card in {title}", { title })}
        >
          <Icon name="plus" />
        </a>
      </header>
      <ul ref={list} class="plain-list column-list" data-column-list tabIndex={-1}>
        {cards.map(({ index, gap, after }) => {
          const task = props.tasks[index]
          if (task === undefined) return null
          const { id } = task
          return (
            <TaskCard
              key={id}
              task={task}
              index={index}
              of={props.tasks.length}
              gap={gap}
              after={after}
              saving={props.saving.has(id)}
              now={props.now}
              cost={costs.value.get(id) ?? null}
              agents={agents.value}
              mark={markOf(gateways.value, task.gatewayId ?? task.run?.gatewayId ?? PRIMARY)}
            />
          )
        })}
      </ul>
      {props.tasks.length === 0 && <p class="no-shrink soft small column-empty">{empty}</p>}
    </section>
  )
})

interface ColumnTab {
  readonly key: string
  readonly title: string
  /** How many cards it has, and may have. */
  readonly counted: string
  readonly isFull: boolean
}

/** How far each column of the board that follows is from the board's start. */
const distances = (board: Element): ReadonlyArray<number> => {
  const isRtl = getComputedStyle(board).direction === "rtl"
  const frame = board.getBoundingClientRect()
  return [...board.querySelectorAll(".column")].map((column) => {
    const { left, right } = column.getBoundingClientRect()
    return isRtl ? frame.right - right : left - frame.left
  })
}

/** All columns by name and the way to each, for a phone, where one fills the screen. */
export const ColumnTabs = component$<{ readonly tabs: ReadonlyArray<ColumnTab> }>((props) => {
  const row = useSignal<HTMLElement>()
  const current = useSignal(0)
  useBrowserTask$(({ cleanup }) => {
    const board = row.value?.nextElementSibling
    if (board === null || board === undefined) return
    const look = () => {
      // Wide pages have all columns in sight and don't show this row.
      if (row.value?.clientWidth === 0) return
      const far = distances(board).map(Math.abs)
      const { clientWidth, scrollLeft, scrollWidth } = board
      // At the board's end, where two columns are in sight, the last one can't get nearer to its start.
      const isAtEnd = scrollLeft !== 0 && Math.abs(scrollLeft) + clientWidth > scrollWidth - 2
      current.value = isAtEnd ? far.length - 1 : Math.max(0, far.indexOf(Math.min(...far)))
    }
    board.addEventListener("scroll", look, { passive: true })
    cleanup(() => board.removeEventListener("scroll", look))
  })
  useShownTab(row, () => String(current.value))
  return (
    <nav ref={row} class="column-tabs fading-row" aria-label={say("Columns")}>
      {props.tabs.map(({ key, title, counted, isFull }, index) => (
        <button
          key={key}
          type="button"
          aria-current={index === current.value ? "true" : undefined}
          onClick$={() => {
            const column = row.value?.nextElementSibling?.querySelectorAll(".column")[index]
            column?.scrollIntoView({ block: "nearest", inline: "start" })
          }}
        >
          <span>{title}</span>
          <span class={["column-count", isFull && "is-full"]}>{counted}</span>
        </button>
      ))}
    </nav>
  )
})
