import { $, component$, useSignal } from "@builder.io/qwik"
import type { TaskStatus } from "../../../src/contract/answers/BoardAnswers.ts"
import { useServices } from "../base/AppContext.ts"
import { isRunning } from "../core/board/boardTypes.ts"
import { allColumns } from "../core/board/shownColumns.ts"
import { say } from "../core/language/say.ts"
import { Icon, type IconName } from "../ui/Icon.tsx"
import "../ui/menu.css"
import { type OpenMenu, useBoard } from "./BoardContext.ts"
import { deleteCards, requestMove, runCard, toggleSelected } from "./boardDeeds.ts"
import { boardPath } from "./boardPath.ts"
import { cardLink, focusCard } from "./focusCard.ts"
import { usePopupMenu } from "./usePopupMenu.ts"

type Deed = { readonly key: string; readonly label: string; readonly icon?: IconName; readonly danger?: boolean }

/** A card's menu, opened next to its button: where it can go and what can be done with it. All cards share one. */
export const CardMenu = component$<{ readonly open: OpenMenu }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const menu = useSignal<HTMLElement>()
  const { id } = props.open
  const task = ui.store.find(id)

  const close = $(() => {
    if (ui.menu.value === null) return
    ui.menu.value = null
  })

  usePopupMenu({ menu, anchor: props.open.anchor, close$: close, back: () => cardLink(id) })

  if (task === null) return null
  const { config, columns } = ui.state.value
  const column = columns[task.status]
  const index = column.findIndex((other) => other.id === id)
  const targets = allColumns(config).filter(({ key }) => key !== task.status)
  const startable = task.status === "todo" || task.status === "backlog"
  const deeds: ReadonlyArray<Deed> = [
    { key: "open", label: say("Open"), icon: "eye" },
    ...(startable ? [{ key: "run", label: say("Run with an agent"), icon: "bot" } as const] : []),
    ...(isRunning(task) ? [{ key: "open", label: say("Stop the agent…"), icon: "square" } as const] : []),
    ...(index > 0 ? [{ key: "up", label: say("Move up"), icon: "arrow-up" } as const] : []),
    ...(index >= 0 && index < column.length - 1
      ? [{ key: "down", label: say("Move down"), icon: "arrow-down" } as const]
      : []),
    ...(index > 0 ? [{ key: "top", label: say("Move to the top") }] : []),
    { key: "select", label: ui.selected.value.has(id) ? say("Deselect") : say("Select"), icon: "check" },
    { key: "delete", label: say("Delete"), icon: "x", danger: true }
  ]

  const act = $((key: string) => {
    // Read what was opened before closing it.
    const id = props.open.id
    ui.menu.value = null
    const before = column[index - 1]
    const after = column[index + 1]
    switch (key) {
      case "open":
        return app.router.navigate(boardPath(app, { task: id }))
      case "run":
        return void runCard(app, ui, task)
      case "up":
        return before === undefined ? undefined : requestMove(app, ui, [id], task.status, { before: before.id })
      case "down":
        return after === undefined ? undefined : requestMove(app, ui, [id], task.status, { after: after.id })
      case "top":
        return requestMove(app, ui, [id], task.status, "start")
      case "select":
        toggleSelected(ui, id)
        return focusCard(id)
      case "delete":
        return deleteCards(app, ui, [id])
    }
  })
  const moveTo = $((status: TaskStatus) => {
    const id = props.open.id
    ui.menu.value = null
    requestMove(app, ui, [id], status, "end")
  })

  return (
    <div
      ref={menu}
      class="menu card-menu-list"
      popover="auto"
      role="menu"
      aria-label={say("Actions for {title}", { title: task.title })}
    >
      {deeds.map(({ key, label, icon, danger }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          class={["menu-item", danger === true && "is-danger"]}
          onClick$={() => act(key)}
        >
          <span class="menu-icon">{icon !== undefined && <Icon name={icon} />}</span>
          <span>{label}</span>
        </button>
      ))}
      <div role="group" aria-label={say("Move to")} class="menu-group">
        <p class="menu-heading" aria-hidden="true">
          {say("Move to")}
        </p>
        {targets.map(({ key, title }) => (
          <button key={key} type="button" role="menuitem" tabIndex={-1} class="menu-item" onClick$={() => moveTo(key)}>
            <span class="menu-icon" />
            <span>{title}</span>
          </button>
        ))}
      </div>
    </div>
  )
})
