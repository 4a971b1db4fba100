import { component$ } from "@builder.io/qwik"
import { pathSegment } from "../base/routes.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"

interface ItemTitleProps {
  readonly item: Pick<InboxItem, "taskId">
  readonly text: string
}

/** What an item is about; if that is a card, it leads there. */
export const ItemTitle = component$<ItemTitleProps>((props) => {
  const { text } = props
  const { taskId } = props.item
  return (
    <p class="item-title">
      {taskId === null ? (
        <span>{text}</span>
      ) : (
        <a href={`/board/${pathSegment(taskId)}`} data-about>
          {text}
        </a>
      )}
    </p>
  )
})
