import { component$, type QRL } from "@builder.io/qwik"
import { ItemCard } from "../approvals/ItemCard.tsx"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { titleOf } from "../core/inbox/kindText.ts"
import { say } from "../core/language/say.ts"
import { InboxRow } from "./InboxRow.tsx"

interface InboxEntryProps {
  readonly item: InboxItem
  readonly isSelected: boolean
  /** A phone shows the item in short; what takes more than a yes or no is decided on its own screen. */
  readonly isShort: boolean
  readonly isHeld: boolean
  readonly onToggle$: QRL<(id: string) => void>
}

/** An item in the list: a box to select it, and the card. */
export const InboxEntry = component$<InboxEntryProps>((props) => {
  const { item } = props
  const title = titleOf(item)
  return (
    <article
      class={["inbox-entry", props.isSelected && "is-selected", props.isHeld && "is-held"]}
      tabIndex={-1}
      aria-label={title}
      data-entry={item.id}
    >
      <label class="inbox-select">
        <input
          type="checkbox"
          aria-label={say("Select “{title}”", { title })}
          checked={props.isSelected}
          onChange$={() => props.onToggle$(props.item.id)}
        />
      </label>
      {props.isShort ? <InboxRow item={item} isHeld={props.isHeld} /> : <ItemCard item={item} isLinked={true} />}
    </article>
  )
})
