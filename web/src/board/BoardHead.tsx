import { component$ } from "@builder.io/qwik"
import lightbulb from "../../icons/lightbulb.svg?shapes"
import { KindIcon } from "../approvals/ItemHead.tsx"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { withParam } from "../core/board/boardFilter.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { KIND_WORDS, titleOf } from "../core/inbox/kindText.ts"
import { say } from "../core/language/say.ts"
import { itemPath, listPath } from "../inbox/inboxPath.ts"
import { Icon, LineIcon } from "../ui/Icon.tsx"
import { MenuButton } from "../ui/MenuButton.tsx"
import { ScreenHead } from "../ui/ScreenHead.tsx"
import { useBoard } from "./BoardContext.ts"
import { clearSelection } from "./boardActions.ts"
import { boardPath, withSearch } from "./boardView.ts"

/** The board's title, and the ways to new cards, proposals and settings. */
export const BoardHead = component$(() => {
  const app = useServices()
  const ui = useBoard()
  const location = useReadable(app.router.location)
  const open = useReadable(app.client.inbox.open)
  const waiting = open.value.filter(({ kind }) => kind === "proposal").length
  const everything = new URLSearchParams(location.value.search).get("columns") === "all"

  return (
    <ScreenHead title={say("Board")}>
      <div class="row gap-2 push-end board-tools">
        <a
          class={["button is-small", waiting > 0 && "is-waiting"]}
          href={listPath({ isDecided: false, kind: "proposal" })}
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
              id: "recurring",
              label: say("Recurring cards and templates"),
              icon: "clock",
              run: () => app.router.navigate(boardPath(app, { panel: "recurring" }))
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

/** The inbox's items about the board. */
const isOfBoard = ({ kind }: InboxItem): boolean => kind === "review" || kind === "failed" || kind === "proposal"

/** What of the inbox is about cards, as many as the board's settings allow; each leads to its item there. */
export const QuickView = component$(() => {
  const app = useServices()
  const open = useReadable(app.client.inbox.open)
  const { config } = useBoard().state.value
  const all = open.value.filter(isOfBoard)
  if (all.length === 0) return null
  return (
    <section class="quick-view" aria-label={say("Waiting for you")}>
      <h2>
        <a class="row gap-2 plain-link" href={listPath({ isDecided: false, kind: null })}>
          <span>{say("Waiting for you")}</span>
          <span class="column-count">{String(all.length)}</span>
        </a>
      </h2>
      <ul class="plain-list">
        {all.slice(0, config?.quickViewLimit ?? 5).map((item) => {
          const { id, kind } = item
          return (
            <li key={id}>
              <a class={["row small nowrap plain-link quick-card", `is-${kind}`]} href={itemPath(id)}>
                <KindIcon kind={kind} />
                <span class="soft">{KIND_WORDS[kind]}</span>
                <span class="quick-title">{titleOf(item)}</span>
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
})
