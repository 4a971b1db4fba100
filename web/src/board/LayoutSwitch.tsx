import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { layoutFrom, withLayout } from "../core/board/viewAddress.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { withSearch } from "./boardPath.ts"

/** Shows the cards as columns or as a list. */
export const LayoutSwitch = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const { search } = location.value
  const layout = layoutFrom(search)
  return (
    <nav class="segmented layout-switch" aria-label={say("Layout")}>
      <a
        href={withSearch(app, withLayout(search, "board"))}
        aria-current={layout === "board" ? "true" : undefined}
        title={say("Show as columns")}
      >
        <Icon name="kanban" />
        <span class="visually-hidden">{say("Show as columns")}</span>
      </a>
      <a
        href={withSearch(app, withLayout(search, "list"))}
        aria-current={layout === "list" ? "true" : undefined}
        title={say("Show as a list")}
      >
        <Icon name="menu" />
        <span class="visually-hidden">{say("Show as a list")}</span>
      </a>
    </nav>
  )
})
