import { component$ } from "@builder.io/qwik"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import { pathSegment } from "../base/routes.ts"
import { useReadable } from "../base/useReadable.ts"
import { isOverdue } from "../core/board/boardFilter.ts"
import { actorText, dueText, priorityText } from "../core/board/boardText.ts"
import { runTook, type Task } from "../core/board/boardTypes.ts"
import { columnTitle } from "../core/board/columns.ts"
import { relativeTime } from "../core/common/timeText.ts"
import { say } from "../core/language/say.ts"
import { money } from "../core/operations/usage.ts"
import { Glyph } from "../ui/Icon.tsx"
import { useBoard } from "./BoardContext.ts"
import { CardTally } from "./CardTally.tsx"
import { PriorityMark } from "./PriorityMark.tsx"
import { hasRunState, RunState, RunTook } from "./RunFact.tsx"

interface ListTaskRowProps {
  readonly task: Task
  readonly place: number
  readonly now: number
}

/** A card as a row. The list's own listeners handle its clicks and keys. */
export const ListTaskRow = component$<ListTaskRowProps>((props) => {
  const ui = useBoard()
  const costs = useReadable(ui.costs)
  const { task, place, now } = props
  const { config } = ui.state.value
  const title = markUnseen(task.title, "prose")
  const took = runTook(task)
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
        <div class="list-name">
          <a class="card-title" href={`/board/${pathSegment(task.id)}`} tabIndex={-1} draggable={false}>
            {title}
          </a>
          <span class="card-facts">
            {hasRunState(task) && <RunState task={task} />}
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
