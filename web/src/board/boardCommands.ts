import { TASK_STATUSES } from "../../../src/contract/board.ts"
import type { AppServices } from "../base/AppContext.ts"
import { isFiltering, NO_FILTER } from "../core/board/boardFilter.ts"
import { isRunning, type Task } from "../core/board/boardTypes.ts"
import { allColumns } from "../core/board/columns.ts"
import {
  isShownAsSaved,
  layoutFrom,
  viewIdFrom,
  viewStateFrom,
  withLayout,
  withView
} from "../core/board/viewAddress.ts"
import type { Command } from "../core/commands/CommandRegistry.ts"
import { quotedTitle } from "../core/common/phrases.ts"
import { say } from "../core/language/say.ts"
import { listPath } from "../inbox/inboxPath.ts"
import type { BoardUi } from "./BoardContext.ts"
import { clearSelection, deleteView, saveShown } from "./boardActions.ts"
import { boardPath, filterBy, withSearch } from "./boardView.ts"
import { enterCards } from "./cardElements.ts"

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest("input, textarea, select, [role=menu]") !== null)

/**
 * Keys for the whole board: Escape ends selecting or closes the panel, an arrow enters the cards; and links keep the
 * filter.
 */
export const boardKeys = (app: AppServices, ui: BoardUi): (() => void) => {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(event.target) || document.querySelector("dialog[open]") !== null) return
    switch (event.key) {
      case "Escape":
        if (ui.selecting.value) return clearSelection(ui)
        document.querySelector<HTMLElement>(".side-panel [data-close]")?.click()
        return
      case "ArrowDown":
      case "ArrowRight":
        if (document.activeElement !== document.body && document.activeElement?.id !== "main") return
        event.preventDefault()
        return enterCards()
    }
  }
  /** A link within the board keeps the search and filter. */
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-keep-search]") : null
    if (link === null || event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    const target = new URL(link.href)
    const params = new URLSearchParams(app.router.location.get().search)
    for (const name of ["panel", "status", "parent"]) params.delete(name)
    for (const [name, value] of target.searchParams) params.set(name, value)
    const text = params.toString()
    app.router.navigate(target.pathname + (text === "" ? "" : `?${text}`))
  }
  document.addEventListener("keydown", onKey)
  document.addEventListener("click", onClick, true)
  return () => {
    document.removeEventListener("keydown", onKey)
    document.removeEventListener("click", onClick, true)
  }
}

/** A new card in each column that is shown. */
const columnCommands = (app: AppServices, ui: BoardUi): ReadonlyArray<Command> =>
  allColumns(ui.store.state.get().config)
    .filter(({ hidden }) => !hidden)
    .map(({ key, title }) => ({
      id: `board.new ${key}`,
      label: say("New card in {title}", { title }),
      group: say("Cards"),
      run: () => app.router.navigate(boardPath(app, { panel: "new", status: key }))
    }))

/** Each saved view, and what can be done with the one that is shown. */
const viewCommands = (app: AppServices, ui: BoardUi): ReadonlyArray<Command> => {
  const { search } = app.router.location.get()
  const views = ui.views.state.get()
  const opened = views.find(({ id }) => id === viewIdFrom(search))
  const { filter, layout, sort } = viewStateFrom(search)
  const group = say("Saved views")
  const others = views
    .filter((view) => view !== opened)
    .map((view) => ({
      id: `board.view ${view.id}`,
      label: say("Show the view {name}", { name: view.name }),
      group,
      run: () => app.router.navigate(withSearch(app, withView(search, view)))
    }))
  if (opened === undefined)
    return [
      {
        id: "board.saveView",
        label: say("Save what is shown as a view"),
        group,
        when: () => isFiltering(filter) || sort !== null || layout !== "board",
        run: () => app.router.navigate(boardPath(app, { panel: "view" }))
      },
      ...others
    ]
  const { id, name } = opened
  return [
    {
      id: "board.allCards",
      label: say("Show all cards"),
      group,
      run: () => app.router.navigate(withSearch(app, withView(search, null)))
    },
    {
      id: "board.saveView",
      label: say("Save the changes to the view {name}", { name }),
      group,
      when: () => !isShownAsSaved(opened, search),
      run: async () => {
        const problem = await saveShown(app, ui, id, name)
        if (problem !== null) app.notices.show("error", problem)
      }
    },
    {
      id: "board.renameView",
      label: say("Rename the view {name}", { name }),
      group,
      run: () => app.router.navigate(boardPath(app, { panel: "rename" }))
    },
    {
      id: "board.deleteView",
      label: say("Delete the view {name}", { name }),
      group,
      run: () => deleteView(app, ui, opened)
    },
    ...others
  ]
}

/** The way to each card. */
const cardCommands = (app: AppServices, ui: BoardUi): ReadonlyArray<Command> => {
  const { columns } = ui.store.state.get()
  return TASK_STATUSES.flatMap((status) =>
    columns[status].map(({ id, title }) => ({
      id: `board.open ${id}`,
      label: say("Open {name}", { name: quotedTitle(title) }),
      group: say("Cards"),
      run: () => app.router.navigate(boardPath(app, { task: id }))
    }))
  )
}

const GROUP = say("Board")

const help = (keys: string, label: string): Command => ({
  id: `board.help ${keys}`,
  label,
  group: GROUP,
  keys,
  helpOnly: true,
  run: () => {}
})

/** What can be done on the board from the palette and by keys; the keys of a card are only listed for help. */
export const boardCommands = (app: AppServices, ui: BoardUi): ReadonlyArray<Command> => [
  {
    id: "board.new",
    label: say("New card"),
    group: GROUP,
    keys: "c",
    keywords: "task create add",
    run: () => app.router.navigate(boardPath(app, { panel: "new" }))
  },
  {
    id: "board.search",
    label: say("Search cards"),
    group: GROUP,
    keys: "f",
    keywords: "filter find",
    run: () => document.querySelector<HTMLElement>("[data-board-search]")?.focus()
  },
  {
    id: "board.proposals",
    label: say("Show proposals"),
    group: GROUP,
    keys: "p",
    keywords: "inbox approve reject",
    run: () => app.router.navigate(listPath({ isDecided: false, kind: "proposal" }))
  },
  {
    id: "board.select",
    label: say("Select several cards"),
    group: GROUP,
    keywords: "select bulk",
    run: () => {
      if (ui.selecting.value) clearSelection(ui)
      else ui.selecting.value = true
    }
  },
  {
    id: "board.layout",
    label: say("Switch between board and list"),
    group: GROUP,
    keywords: "list table columns layout view",
    run: () => {
      const { search } = app.router.location.get()
      const layout = layoutFrom(search) === "board" ? "list" : "board"
      app.router.navigate(withSearch(app, withLayout(search, layout)))
    }
  },
  {
    id: "board.settings",
    label: say("Open board settings"),
    group: GROUP,
    keywords: "columns limit review configuration",
    run: () => app.router.navigate(boardPath(app, { panel: "settings" }))
  },
  {
    id: "board.recurring",
    label: say("Recurring cards and templates"),
    group: GROUP,
    keywords: "routine schedule repeat template",
    run: () => app.router.navigate(boardPath(app, { panel: "recurring" }))
  },
  {
    id: "board.refresh",
    label: say("Refresh the board"),
    group: GROUP,
    keywords: "reload update",
    run: () => ui.store.refresh()
  },
  {
    id: "board.clear",
    label: say("Clear filters"),
    group: GROUP,
    when: () => isFiltering(viewStateFrom(app.router.location.get().search).filter),
    run: () => filterBy(app, NO_FILTER)
  },
  ...columnCommands(app, ui),
  ...viewCommands(app, ui),
  ...cardCommands(app, ui),
  help("arrowdown", say("Move between cards (arrow keys)")),
  help("alt+arrowdown", say("Move the card (arrow keys)")),
  help("enter", say("Open the card")),
  help("m", say("Open the card's menu (with Move to)")),
  help("x", say("Select the card")),
  help("w", say("Let the card start after another one")),
  help("shift", say("While dragging: drop a card onto the one it starts after")),
  help("delete", say("Delete the card or selected cards"))
]

interface TaskActions {
  readonly isDirty: () => boolean
  readonly save: () => unknown
  readonly discard: () => unknown
  readonly remove: () => unknown
}

const CARD_GROUP = say("This card")

/** What can be done with the card that is shown; it's approved where its result is read. */
export const taskCommands = ({ title }: Task, actions: TaskActions): ReadonlyArray<Command> => {
  const card = quotedTitle(title)
  return [
    {
      id: "task.save",
      label: say("Save {name}", { name: card }),
      group: CARD_GROUP,
      when: actions.isDirty,
      run: actions.save
    },
    {
      id: "task.discard",
      label: say("Discard the changes to {name}", { name: card }),
      group: CARD_GROUP,
      when: actions.isDirty,
      run: actions.discard
    },
    { id: "task.delete", label: say("Delete {name}", { name: card }), group: CARD_GROUP, run: actions.remove }
  ]
}

interface RunDeeds {
  /** The agent would see everything that was typed. */
  readonly isSaved: () => boolean
  readonly run: () => unknown
  readonly stop: () => unknown
}

/** Starting and stopping the agent's work on the card that is shown. */
export const runCommands = (task: Task, { isSaved, run, stop }: RunDeeds): ReadonlyArray<Command> => {
  const card = quotedTitle(task.title)
  return [
    {
      id: "task.run",
      label: say("Start the agent on {name}", { name: card }),
      group: CARD_GROUP,
      keywords: "run execute again",
      when: () => (task.status === "todo" || task.status === "backlog") && isSaved(),
      run
    },
    {
      id: "task.stop",
      label: say("Stop the agent on {name}", { name: card }),
      group: CARD_GROUP,
      keywords: "abort cancel",
      when: () => isRunning(task),
      run: stop
    }
  ]
}
