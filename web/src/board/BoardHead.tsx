import { component$ } from "@builder.io/qwik"
import lightbulb from "../../icons/lightbulb.svg?shapes"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { withParam } from "../core/board/boardFilter.ts"
import { waitingProposals } from "../core/board/proposals.ts"
import { say } from "../core/language/say.ts"
import { Icon, LineIcon } from "../ui/Icon.tsx"
import { MenuButton } from "../ui/MenuButton.tsx"
import { ScreenHead } from "../ui/ScreenHead.tsx"
import { useBoard } from "./BoardContext.ts"
import { clearSelection } from "./boardDeeds.ts"
import { boardPath, withSearch } from "./boardPath.ts"

/** The board's title, and the ways to new cards, proposals and settings. */
export const BoardHead = component$(() => {
  const app = useServices()
  const ui = useBoard()
  const location = useReadable(app.router.location)
  const waiting = waitingProposals(ui.state.value.proposals).length
  const everything = new URLSearchParams(location.value.search).get("columns") === "all"

  return (
    <ScreenHead title={say("Board")}>
      <div class="board-tools">
        <a
          class={["button is-small", waiting > 0 && "is-waiting"]}
          href={boardPath(app, { panel: "inbox" })}
          data-keep-search
          data-inbox
        >
          <LineIcon shapes={lightbulb} />
          <span class="unseen-on-phone">{say("Proposals")}</span>
          {waiting > 0 && <span class="column-count">{String(waiting)}</span>}
        </a>
        <a class="button is-small is-primary" href={boardPath(app, { panel: "new" })} data-keep-search>
          <Icon name="plus" />
          <span class="unseen-on-phone">{say("New card")}</span>
        </a>
        <MenuButton
          label={say("More board actions")}
          items={[
            {
              id: "select",
              label: ui.selecting.value ? say("Stop selecting") : say("Select several cards"),
              icon: "check",
              run: () => {
                if (ui.selecting.value) clearSelection(ui)
                else ui.selecting.value = true
              }
            },
            {
              id: "columns",
              label: everything ? say("Hide hidden columns") : say("Show all columns"),
              icon: everything ? "eye-off" : "eye",
              run: () => {
                const { search: now } = app.router.location.get()
                app.router.navigate(withSearch(app, withParam(now, "columns", everything ? "" : "all")))
              }
            },
            {
              id: "refresh",
              label: say("Refresh"),
              icon: "refresh",
              run: () => ui.store.refresh()
            },
            {
              id: "settings",
              label: say("Board settings"),
              icon: "settings",
              run: () => app.router.navigate(boardPath(app, { panel: "settings" }))
            }
          ]}
        />
      </div>
    </ScreenHead>
  )
})
