import { component$ } from "@builder.io/qwik"
import { TASK_PRIORITIES } from "../../../src/contract/board.ts"
import { type AppServices, useServices } from "../base/AppContext.ts"
import { assigneesOf } from "../core/board/boardFilter.ts"
import { actorText, fieldText, priorityText, startText } from "../core/board/boardText.ts"
import { isRunning, type Task, type TaskChanges } from "../core/board/boardTypes.ts"
import { allColumns } from "../core/board/columns.ts"
import { say } from "../core/language/say.ts"
import { Menu, type MenuItem } from "../ui/Menu.tsx"
import { type BoardUi, type CardField, type OpenMenu, useBoard } from "./BoardContext.ts"
import { deleteCards, patchCards, requestMove, runCard, toggleSelected } from "./boardActions.ts"
import { boardPath } from "./boardView.ts"
import { cardLink, focusCard } from "./cardElements.ts"
import { startAfterNothing } from "./flowActions.ts"

const actionsOf = (app: AppServices, ui: BoardUi, task: Task): ReadonlyArray<MenuItem> => {
  const { id, status } = task
  const column = ui.state.value.columns[status]
  const index = column.findIndex((other) => other.id === id)
  const before = index > 0 ? column[index - 1]?.id : undefined
  const after = index >= 0 ? column[index + 1]?.id : undefined
  const startable = status === "todo" || status === "backlog"
  const open = () => app.router.navigate(boardPath(app, { task: id }))
  return [
    { label: say("Open"), icon: "eye", run: open },
    ...(startable
      ? [{ label: startText(task.assignee), icon: "bot" as const, run: () => runCard(app, ui, task) }]
      : []),
    ...(isRunning(task) ? [{ label: say("Stop the agent…"), icon: "square" as const, run: open }] : []),
    ...(before === undefined
      ? []
      : [
          {
            label: say("Move up"),
            icon: "arrow-up" as const,
            run: () => requestMove(app, ui, [id], status, { before })
          }
        ]),
    ...(after === undefined
      ? []
      : [
          {
            label: say("Move down"),
            icon: "arrow-down" as const,
            run: () => requestMove(app, ui, [id], status, { after })
          }
        ]),
    ...(index > 0 ? [{ label: say("Move to the top"), run: () => requestMove(app, ui, [id], status, "start") }] : []),
    {
      label: say("Start after another card…"),
      icon: "hourglass",
      run: () => {
        ui.linking.value = { id, kind: "after" }
      }
    },
    ...(task.after.length > 0
      ? [{ label: say("Wait for no other card"), run: () => startAfterNothing(app, ui, id) }]
      : []),
    {
      label: say("Make it a part of another card…"),
      icon: "corner-down-right",
      run: () => {
        ui.linking.value = { id, kind: "parent" }
      }
    },
    {
      label: ui.selected.value.has(id) ? say("Deselect") : say("Select"),
      icon: "check",
      run: () => {
        toggleSelected(ui, id)
        focusCard(ui, id)
      }
    },
    { label: say("Delete"), icon: "x", danger: true, run: () => deleteCards(app, ui, [id]) }
  ]
}

const movesOf = (app: AppServices, ui: BoardUi, { id, status }: Task): ReadonlyArray<MenuItem> =>
  allColumns(ui.state.value.config)
    .filter(({ key }) => key !== status)
    .map(({ key, title }) => ({ id: key, label: title, run: () => requestMove(app, ui, [id], key, "end") }))

/** A card's menu, opened next to its button: where it can go and what can be done with it. All cards share one. */
export const CardMenu = component$<{ readonly open: OpenMenu }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const { anchor, id } = props.open
  const task = ui.store.find(id)
  if (task === null) return null
  const link = () => cardLink(task.id)
  return (
    <Menu
      id="card-menu"
      label={say("Actions for {title}", { title: task.title })}
      items={actionsOf(app, ui, task)}
      group={{ label: say("Move to"), items: movesOf(app, ui, task) }}
      atOnce
      opener={link}
      anchor={anchor}
      onToggle={(isOpen) => {
        if (!isOpen) ui.menu.value = null
      }}
    />
  )
})

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
    focusCard(ui, id)
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
export const FieldMenu = component$<{ readonly open: OpenMenu; readonly field: CardField }>((props) => {
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
