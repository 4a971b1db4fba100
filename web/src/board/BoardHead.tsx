import { component$ } from "@builder.io/qwik"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import lightbulb from "../../icons/lightbulb.svg?shapes"
import { useServices } from "../base/AppContext.ts"
import { taskPath } from "../base/routes.ts"
import { useReadable } from "../base/useReadable.ts"
import { type AttentionReason, attention } from "../core/board/attention.ts"
import { withParam } from "../core/board/boardFilter.ts"
import { waitingProposals } from "../core/board/proposals.ts"
import { STATE_WORDS } from "../core/common/stateWords.ts"
import { say } from "../core/language/say.ts"
import { Icon, type IconName, LineIcon } from "../ui/Icon.tsx"
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
  const waiting = waitingProposals(ui.state.value.proposals).length
  const everything = new URLSearchParams(location.value.search).get("columns") === "all"

  return (
    <ScreenHead title={say("Board")}>
      <div class="row gap-2 push-end board-tools">
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

const REASONS: Readonly<Record<AttentionReason, { readonly icon: IconName; readonly text: string }>> = {
  review: { icon: "eye", text: say("To review") },
  failed: { icon: "triangle-alert", text: STATE_WORDS.failed },
  overdue: { icon: "clock", text: say("Overdue") }
}

/** The cards waiting for a person, as many as the board's settings allow. */
export const QuickView = component$<{ readonly now: number }>((props) => {
  const ui = useBoard()
  const { columns, config } = ui.state.value
  const all = attention(columns, props.now)
  if (all.length === 0) return null
  const first = all.slice(0, config?.quickViewLimit ?? 5)
  return (
    <section class="quick-view" aria-label={say("Waiting for you")}>
      <h2>
        <span>{say("Waiting for you")}</span>
        {all.length > first.length && <span class="column-count">{String(all.length)}</span>}
      </h2>
      <ul class="plain-list">
        {first.map(({ task, reason }) => {
          const { icon, text } = REASONS[reason]
          return (
            <li key={task.id}>
              <a
                class={["row small nowrap plain-link quick-card", `is-${reason}`]}
                href={taskPath(task.id)}
                data-keep-search
              >
                <Icon name={icon} />
                <span class="soft">{text}</span>
                <span class="quick-title">{markUnseen(task.title, "prose")}</span>
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
})
