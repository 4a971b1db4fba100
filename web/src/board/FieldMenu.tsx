import { component$ } from "@builder.io/qwik"
import { TASK_PRIORITIES } from "../../../src/contract/board.ts"
import { type AppServices, useServices } from "../base/AppContext.ts"
import { assigneesOf } from "../core/board/boardFilter.ts"
import { actorText, fieldText, priorityText } from "../core/board/boardText.ts"
import type { Task, TaskChanges } from "../core/board/boardTypes.ts"
import { allColumns } from "../core/board/columns.ts"
import { say } from "../core/language/say.ts"
import { Menu, type MenuItem } from "../ui/Menu.tsx"
import { type BoardUi, type CardField, type OpenMenu, useBoard } from "./BoardContext.ts"
import { patchCards, requestMove } from "./boardDeeds.ts"
import { cardLink, focusCard } from "./focusCard.ts"

interface FieldMenuProps {
  readonly open: OpenMenu
  readonly field: CardField
}

const valuesOf = (app: AppServices, ui: BoardUi, task: Task, field: CardField): ReadonlyArray<MenuItem> => {
  const { id } = task
  const { columns, config } = ui.state.value
  if (field === "status")
    return allColumns(config).map(({ key, title }) => ({
      id: key,
      label: title,
      checked: key === task.status,
      run: () => requestMove(app, ui, [id], key, "end")
    }))
  const change = (changes: TaskChanges) => {
    focusCard(id)
    return patchCards(app, ui, [id], () => changes)
  }
  if (field === "priority")
    return TASK_PRIORITIES.map((priority) => ({
      id: priority,
      label: priorityText(priority),
      checked: priority === task.priority,
      run: () => change({ priority })
    }))
  const agents = [...ui.choices.state.get().agents, ...assigneesOf(columns)]
  return [null, ...new Set(["operator", ...agents])].map((assignee) => ({
    id: assignee ?? "",
    label: assignee === null ? say("Unassigned") : actorText(assignee),
    checked: assignee === task.assignee,
    run: () => change({ assignee })
  }))
}

/** The values that one field of a card can have, beside the field in the list. */
export const FieldMenu = component$<FieldMenuProps>((props) => {
  const app = useServices()
  const ui = useBoard()
  const { anchor, id } = props.open
  const task = ui.store.find(id)
  if (task === null) return null
  const link = () => cardLink(task.id)
  return (
    <Menu
      id="field-menu"
      label={say("{field} of {title}", { field: fieldText(props.field), title: task.title })}
      items={valuesOf(app, ui, task, props.field)}
      atOnce
      opener={link}
      anchor={anchor}
      onToggle={(isOpen) => {
        if (!isOpen) ui.menu.value = null
      }}
    />
  )
})
