import type { AppServices } from "../base/AppContext.ts"
import { isFiltering, NO_FILTER } from "../core/board/boardFilter.ts"
import { layoutFrom, viewStateFrom, withLayout } from "../core/board/viewAddress.ts"
import type { Command } from "../core/commands/CommandRegistry.ts"
import { say } from "../core/language/say.ts"
import type { BoardUi } from "./BoardContext.ts"
import { clearSelection } from "./boardDeeds.ts"
import { cardCommands, columnCommands, viewCommands } from "./boardObjectCommands.ts"
import { boardPath, withSearch } from "./boardPath.ts"
import { filterBy } from "./filterBy.ts"

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
    run: () => app.router.navigate(boardPath(app, { panel: "inbox" }))
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
  help("delete", say("Delete the card or selected cards"))
]
