import { $, component$, type QRL } from "@builder.io/qwik"
import { actionText } from "../approvals/actionWords.ts"
import { decide } from "../approvals/decide.ts"
import { useServices } from "../base/AppContext.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { keyOf } from "../core/inbox/kindText.ts"
import { say, sayCount } from "../core/language/say.ts"
import { offeredBy } from "./selection.ts"
import "../ui/selectionBar.css"

interface SelectedBarProps {
  readonly items: ReadonlyArray<InboxItem>
  /** Everything that could be selected. */
  readonly total: number
  readonly onAll$: QRL<() => void>
  readonly onClear$: QRL<() => void>
}

/** What can be done with the selected items: each action with the items that offer it. */
export const SelectedBar = component$<SelectedBarProps>((props) => {
  const app = useServices()
  const { items } = props
  const act = $(async (action: string) => {
    const those = props.items.filter((item) => item.actions.some(({ id }) => id === action))
    props.onClear$()
    await decide(app, those, { action })
  })
  const offers = offeredBy(items)
  return (
    <div class="selection-bar inbox-selected" role="toolbar" aria-label={say("Selected items")}>
      <span class="selection-count">{sayCount(items.length, "{count} selected", "{count} selected")}</span>
      <span class="flex wrap gap-2 inbox-selected-actions">
        {offers.map(({ id, label, count }, index) => {
          const text = actionText({ id, label })
          return (
            <button
              key={id}
              type="button"
              class={["button is-small", index === 0 && "is-primary"]}
              onClick$={() => act(id)}
            >
              <span>{count === items.length ? text : `${text} (${count})`}</span>
              <span class="action-key" aria-hidden="true">
                {keyOf(id)?.toUpperCase() ?? ""}
              </span>
            </button>
          )
        })}
      </span>
      {offers.length === 0 && <span class="soft small">{say("There's no action for all of these at once")}</span>}
      <span class="flex gap-2 push-end inbox-selected-end">
        {items.length < props.total && (
          <button type="button" class="button is-small" onClick$={() => props.onAll$()}>
            {say("Select all {total}", { total: props.total })}
          </button>
        )}
        <button type="button" class="button is-small" onClick$={() => props.onClear$()}>
          {say("Clear")}
        </button>
      </span>
    </div>
  )
})
