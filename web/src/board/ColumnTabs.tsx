import { component$, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { say } from "../core/language/say.ts"
import { useShownTab } from "../ui/useShownTab.ts"

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
