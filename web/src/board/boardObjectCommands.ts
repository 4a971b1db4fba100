import { TASK_STATUSES } from "../../../src/contract/board.ts"
import type { AppServices } from "../base/AppContext.ts"
import { isFiltering } from "../core/board/boardFilter.ts"
import { allColumns } from "../core/board/columns.ts"
import { isShownAsSaved, viewIdFrom, viewStateFrom, withView } from "../core/board/viewAddress.ts"
import type { Command } from "../core/commands/CommandRegistry.ts"
import { quotedTitle } from "../core/common/phrases.ts"
import { say } from "../core/language/say.ts"
import type { BoardUi } from "./BoardContext.ts"
import { boardPath, withSearch } from "./boardPath.ts"
import { deleteView, saveShown } from "./viewDeeds.ts"

/** A new card in each column that is shown. */
export const columnCommands = (app: AppServices, ui: BoardUi): ReadonlyArray<Command> =>
  allColumns(ui.store.state.get().config)
    .filter(({ hidden }) => !hidden)
    .map(({ key, title }) => ({
      id: `board.new ${key}`,
      label: say("New card in {title}", { title }),
      group: say("Cards"),
      run: () => app.router.navigate(boardPath(app, { panel: "new", status: key }))
    }))

/** Each saved view, and what can be done with the one that is shown. */
export const viewCommands = (app: AppServices, ui: BoardUi): ReadonlyArray<Command> => {
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
export const cardCommands = (app: AppServices, ui: BoardUi): ReadonlyArray<Command> => {
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
