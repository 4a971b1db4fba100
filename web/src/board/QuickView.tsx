import { component$ } from "@builder.io/qwik"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import { pathSegment } from "../base/routes.ts"
import { type AttentionReason, attention } from "../core/board/attention.ts"
import { STATE_WORDS } from "../core/common/stateWords.ts"
import { say } from "../core/language/say.ts"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { useBoard } from "./BoardContext.ts"
import "./quickView.css"

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
  const shown = all.slice(0, config?.quickViewLimit ?? 5)
  return (
    <section class="quick-view" aria-label={say("Waiting for you")}>
      <h2>
        <span>{say("Waiting for you")}</span>
        {all.length > shown.length && <span class="column-count">{String(all.length)}</span>}
      </h2>
      <ul class="plain-list">
        {shown.map(({ task, reason }) => {
          const { icon, text } = REASONS[reason]
          return (
            <li key={task.id}>
              <a
                class={["row small nowrap plain-link quick-card", `is-${reason}`]}
                href={`/board/${pathSegment(task.id)}`}
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
