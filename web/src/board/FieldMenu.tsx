import { $, component$, useSignal } from "@builder.io/qwik"
import { TASK_PRIORITIES, TASK_STATUSES } from "../../../src/contract/answers/BoardAnswers.ts"
import { useServices } from "../base/AppContext.ts"
import { assigneesOf } from "../core/board/boardFilter.ts"
import { actorText, fieldText, priorityText } from "../core/board/boardText.ts"
import { wordOf } from "../core/board/decodeBoard.ts"
import { allColumns } from "../core/board/shownColumns.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import "../ui/menu.css"
import { type CardField, type OpenMenu, useBoard } from "./BoardContext.ts"
import { patchCards, requestMove } from "./boardDeeds.ts"
import { cardLink, focusCard } from "./focusCard.ts"
import { usePopupMenu } from "./usePopupMenu.ts"

interface FieldMenuProps {
  readonly open: OpenMenu
  readonly field: CardField
}

/** The values that one field of a card can have, beside the field in the list. */
export const FieldMenu = component$<FieldMenuProps>((props) => {
  const app = useServices()
  const ui = useBoard()
  const menu = useSignal<HTMLElement>()
  const { anchor, id } = props.open
  const close = $(() => {
    ui.menu.value = null
  })
  usePopupMenu({ menu, anchor, close$: close, back: () => cardLink(id) })

  const task = ui.store.find(id)
  if (task === null) return null
  const { columns, config } = ui.state.value
  const agents = [...new Set([...ui.choices.state.get().agents, ...assigneesOf(columns)])]
  const choices =
    props.field === "status"
      ? allColumns(config).map(({ key, title }) => ({ value: String(key), label: title }))
      : props.field === "priority"
        ? TASK_PRIORITIES.map((value) => ({ value: String(value), label: priorityText(value) }))
        : [
            { value: "", label: say("Unassigned") },
            { value: "operator", label: actorText("operator") },
            ...agents.filter((actor) => actor !== "operator").map((value) => ({ value, label: actorText(value) }))
          ]
  const current = task[props.field] ?? ""

  const choose = $((value: string) => {
    const id = props.open.id
    ui.menu.value = null
    const status = wordOf(TASK_STATUSES, value)
    const priority = wordOf(TASK_PRIORITIES, value)
    if (props.field === "status" && status !== null) return requestMove(app, ui, [id], status, "end")
    focusCard(id)
    if (props.field === "priority" && priority !== null) return patchCards(app, ui, [id], () => ({ priority }))
    if (props.field === "assignee") return patchCards(app, ui, [id], () => ({ assignee: value === "" ? null : value }))
  })

  const label = say("{field} of {title}", { field: fieldText(props.field), title: task.title })
  return (
    <div ref={menu} class="menu card-menu-list" popover="auto" role="menu" aria-label={label}>
      {choices.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          role="menuitemradio"
          aria-checked={value === current ? "true" : "false"}
          tabIndex={-1}
          class="menu-item"
          onClick$={() => choose(value)}
        >
          <span class="menu-icon">{value === current && <Icon name="check" />}</span>
          <span>{label}</span>
        </button>
      ))}
    </div>
  )
})
