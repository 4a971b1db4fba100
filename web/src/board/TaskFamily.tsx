import { component$ } from "@builder.io/qwik"
import { TASK_STATUSES } from "../../../src/contract/board.ts"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import workflow from "../../icons/workflow.svg?shapes"
import { useServices } from "../base/AppContext.ts"
import { taskPath } from "../base/routes.ts"
import type { Task } from "../core/board/boardTypes.ts"
import { cardState, STATE_TEXTS } from "../core/board/cardState.ts"
import { say, sayCount } from "../core/language/say.ts"
import { Icon, LineIcon } from "../ui/Icon.tsx"
import { useBoard } from "./BoardContext.ts"
import { boardPath } from "./boardView.ts"
import { CardStateMark } from "./CardFacts.tsx"
import "./flow.css"

/** Cards by title, each with how it stands and the way to it. */
const CardLinks = component$<{ readonly cards: ReadonlyArray<Task>; readonly label: string }>((props) => (
  <ul class="plain-list card-links" aria-label={props.label}>
    {props.cards.map((card) => {
      const { id } = card
      const state = cardState(card)
      const title = markUnseen(card.title, "prose")
      return (
        <li key={id} class={["row gap-2 card-link", `is-${state}`]}>
          <CardStateMark state={state} />
          <a class="truncate grow plain-link" href={taskPath(id)} data-keep-search>
            {title}
          </a>
          <span class="soft tiny nowrap">{STATE_TEXTS[state]}</span>
        </li>
      )
    })}
  </ul>
))

/** The cards around a card: its parts with how far they are, those that start after it, and all of them as a graph. */
export const TaskFamily = component$<{ readonly task: Task }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const { after, id, parentId } = props.task
  const { columns } = ui.state.value
  const all = TASK_STATUSES.flatMap((status) => columns[status])
  const parts = all.filter((card) => card.parentId === id)
  const later = all.filter((card) => card.after.includes(id))
  const done = parts.filter(({ status }) => status === "done").length
  const hasFamily = parts.length > 0 || later.length > 0 || after.length > 0 || parentId !== null
  const progress = say("{done} of {total}", { done, total: parts.length })
  return (
    <section class="task-section stack gap-2 task-family" aria-label={say("Related cards")}>
      {parts.length > 0 && (
        <>
          <div class="row gap-2 task-section-head">
            <h3>{say("Parts")}</h3>
            <span class="row gap-2 soft small tabular checklist-progress">
              <span class="checklist-bar" aria-hidden="true">
                <span style={{ inlineSize: `${(done / parts.length) * 100}%` }} />
              </span>
              <span aria-hidden="true">{progress}</span>
              <span class="visually-hidden">
                {sayCount(parts.length, "{done} of {count} part done", "{done} of {count} parts done", { done })}
              </span>
            </span>
          </div>
          <CardLinks cards={parts} label={say("Parts")} />
        </>
      )}
      {later.length > 0 && (
        <>
          <h3>{say("Start after this card")}</h3>
          <CardLinks cards={later} label={say("Start after this card")} />
        </>
      )}
      <div class="row wrap gap-2">
        <a class="button is-small" href={boardPath(app, { panel: "new", parent: id })} data-keep-search>
          <Icon name="plus" />
          <span>{say("Add a part")}</span>
        </a>
        {hasFamily && (
          <a class="button is-small" href={boardPath(app, { task: id, panel: "family" })} data-keep-search>
            <LineIcon shapes={workflow} />
            <span>{say("Show as a graph")}</span>
          </a>
        )}
      </div>
    </section>
  )
})
