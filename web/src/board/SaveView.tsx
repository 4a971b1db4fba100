import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { isFiltering } from "../core/board/boardFilter.ts"
import { isShownAsSaved, viewIdFrom, viewStateFrom } from "../core/board/viewAddress.ts"
import { say } from "../core/language/say.ts"
import { useBoard } from "./BoardContext.ts"
import { boardPath } from "./boardPath.ts"
import { saveShown } from "./viewDeeds.ts"

/** Saves what is shown, as a new view or into the one that was changed; nothing where there's nothing to save. */
export const SaveView = component$(() => {
  const app = useServices()
  const ui = useBoard()
  const location = useReadable(app.router.location)
  const views = useReadable(ui.views.state)
  const { search } = location.value
  const opened = views.value.find(({ id }) => id === viewIdFrom(search))
  const { filter, layout, sort } = viewStateFrom(search)
  if (opened !== undefined)
    return isShownAsSaved(opened, search) ? null : (
      <button
        type="button"
        class="button is-small"
        onClick$={async () => {
          const problem = await saveShown(app, ui, opened.id, opened.name)
          if (problem !== null) app.notices.show("error", problem)
        }}
      >
        {say("Save changes")}
      </button>
    )
  if (!isFiltering(filter) && sort === null && layout === "board") return null
  return (
    <a class="button is-small" href={boardPath(app, { panel: "view" })} data-keep-search>
      {say("Save view")}
    </a>
  )
})
