import { component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import type { Task, TaskStatus } from "../core/board/boardTypes.ts"
import type { ShownColumn } from "../core/board/shownColumns.ts"
import { Icon } from "../ui/Icon.tsx"
import { TaskCard } from "./TaskCard.tsx"

/** Cards a column draws at once; the others follow while nothing else is to be done. */
const FIRST = 30
const STEP = 90
/** Cards a column draws by itself; more are drawn when somebody asks. */
const CHUNK = 400

/** Runs when the browser has time, soon in any case. */
const whenIdle = (run: () => void): void => {
  if (typeof requestIdleCallback === "function") requestIdleCallback(run, { timeout: 200 })
  else setTimeout(run, 20)
}

interface BoardColumnProps {
  readonly column: ShownColumn
  readonly tasks: ReadonlyArray<Task>
  /** Cards in the column, shown or not. */
  readonly total: number
  /** Cards with a change under way. */
  readonly saving: ReadonlySet<string>
  readonly now: number
  readonly filtering: boolean
}

const EMPTY: Readonly<Record<TaskStatus, string>> = {
  backlog: "Ideas for later.",
  todo: "What is to be done next.",
  "in-progress": "Nobody works on anything.",
  review: "Nothing waits for your review.",
  done: "Nothing is finished yet.",
  cancelled: "Nothing was cancelled."
}

/** A column of the board with its cards. */
export const BoardColumn = component$<BoardColumnProps>((props) => {
  const limit = useSignal(FIRST)
  useVisibleTask$(
    ({ track, cleanup }) => {
      let over = false
      cleanup(() => {
        over = true
      })
      if (
        track(() => limit.value) >=
        Math.min(
          CHUNK,
          track(() => props.tasks.length)
        )
      )
        return
      whenIdle(() => {
        if (!over) limit.value = Math.min(CHUNK, limit.value + STEP)
      })
    },
    { strategy: "document-ready" }
  )
  const { key, title, wipLimit } = props.column
  const full = wipLimit > 0 && props.total >= wipLimit
  const count = wipLimit > 0 ? `${props.total} of ${wipLimit}` : String(props.total)
  return (
    <section
      class="column"
      data-column={key}
      aria-label={`${title}, ${props.total === 1 ? "1 card" : `${count} cards`}`}
    >
      <header class="column-head">
        <h2>{title}</h2>
        <span class={["column-count", full && "is-full"]}>
          {props.filtering ? `${props.tasks.length} of ${props.total}` : count}
        </span>
        <a
          class="icon-button column-add"
          href={`/board?panel=new&status=${key}`}
          data-keep-search
          aria-label={`New card in ${title}`}
          title={`New card in ${title}`}
        >
          <Icon name="plus" />
        </a>
      </header>
      <ul class="plain-list column-list" data-column-list tabIndex={-1}>
        {props.tasks.slice(0, limit.value).map((task) => {
          const { id } = task
          return <TaskCard key={id} task={task} saving={props.saving.has(id)} now={props.now} />
        })}
      </ul>
      {props.tasks.length > limit.value && limit.value >= CHUNK && (
        <button
          type="button"
          class="button is-small column-more"
          onClick$={() => {
            limit.value += CHUNK
          }}
        >
          {`Show ${Math.min(CHUNK, props.tasks.length - limit.value)} more`}
        </button>
      )}
      {props.tasks.length === 0 && (
        <p class="column-empty">{props.filtering && props.total > 0 ? "No card fits the filter." : EMPTY[key]}</p>
      )}
    </section>
  )
})
