import type { SavedView } from "../../../src/contract/schema/savedView.ts"
import type { AppServices } from "../base/AppContext.ts"
import { viewBody, viewIdFrom, viewStateFrom, withView } from "../core/board/viewAddress.ts"
import { say } from "../core/language/say.ts"
import type { BoardUi } from "./BoardContext.ts"
import { announce } from "./boardDeeds.ts"
import { boardPath, withSearch } from "./boardPath.ts"

type App = Pick<AppServices, "router" | "notices">

/** Saves what is shown under a name; says why it couldn't. */
export const saveShown = async (app: App, ui: BoardUi, id: string, name: string): Promise<string | null> => {
  const { search } = app.router.location.get()
  const view = { id, ...viewBody(name, viewStateFrom(search)) }
  const done = await ui.views.save(view)
  if (!done.ok) return done.message
  app.router.navigate(boardPath(app), { replace: true })
  app.router.navigate(withSearch(app, withView(app.router.location.get().search, view)), { replace: true })
  announce(ui, say("Saved the view {name}.", { name }))
  return null
}

/** Gives a view another name; what it shows stays as it was saved. */
export const renameView = async (app: App, ui: BoardUi, view: SavedView, name: string): Promise<string | null> => {
  const done = await ui.views.save({ ...view, name })
  if (!done.ok) return done.message
  app.router.navigate(boardPath(app), { replace: true })
  return null
}

/** Deletes a view and offers to undo it; the cards stay as they are shown. */
export const deleteView = async (app: App, ui: BoardUi, view: SavedView): Promise<void> => {
  const done = await ui.views.remove(view.id)
  if (!done.ok) return app.notices.show("error", done.message)
  const { search } = app.router.location.get()
  if (viewIdFrom(search) === view.id) app.router.navigate(withSearch(app, withView(search, null)))
  app.notices.offerUndo(say("Deleted the view {name}.", { name: view.name }), async () => {
    const back = await ui.views.save(view)
    if (!back.ok) return app.notices.show("error", back.message)
    app.router.navigate(withSearch(app, withView(app.router.location.get().search, view)))
  })
}
