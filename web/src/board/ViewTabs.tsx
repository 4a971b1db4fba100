import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { viewIdFrom, withView } from "../core/board/viewAddress.ts"
import { say } from "../core/language/say.ts"
import { MenuButton } from "../ui/MenuButton.tsx"
import { useBoard } from "./BoardContext.ts"
import { boardPath, withSearch } from "./boardPath.ts"
import { deleteView } from "./viewDeeds.ts"
import "./views.css"

/** The saved views as tabs; nothing while there are none. */
export const ViewTabs = component$(() => {
  const app = useServices()
  const ui = useBoard()
  const location = useReadable(app.router.location)
  const views = useReadable(ui.views.state)
  const { search } = location.value
  const current = viewIdFrom(search)
  const opened = views.value.find(({ id }) => id === current)
  const openedId = opened?.id
  if (views.value.length === 0) return null
  return (
    <div class="row gap-1 no-shrink view-bar">
      <nav class="view-tabs" aria-label={say("Saved views")}>
        <a
          class="no-shrink soft small truncate view-tab"
          href={withSearch(app, withView(search, null))}
          aria-current={opened === undefined ? "true" : undefined}
        >
          {say("All cards")}
        </a>
        {views.value.map((view) => {
          const { id, name } = view
          return (
            <a
              key={id}
              class="no-shrink soft small truncate view-tab"
              href={withSearch(app, withView(search, view))}
              aria-current={id === current ? "true" : undefined}
            >
              {name}
            </a>
          )
        })}
      </nav>
      {opened !== undefined && (
        <MenuButton
          key={openedId}
          label={say("Actions for the view {name}", { name: opened.name })}
          items={[
            {
              id: "rename",
              label: say("Rename view"),
              icon: "pencil",
              run: () => app.router.navigate(boardPath(app, { panel: "rename" }))
            },
            {
              id: "delete",
              label: say("Delete view"),
              icon: "x",
              danger: true,
              run: () => deleteView(app, ui, opened)
            }
          ]}
        />
      )}
    </div>
  )
})
