import { component$ } from "@builder.io/qwik"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { itemPath } from "./inboxPath.ts"

interface AloneHeadProps {
  readonly id: string
  /** Everything that waits, in the order of the list. */
  readonly open: ReadonlyArray<InboxItem>
}

/** Above one item: the way back to all of them, its place among them, and the next one. */
export const AloneHead = component$<AloneHeadProps>((props) => {
  const { id, open } = props
  const at = open.findIndex((one) => one.id === id)
  const next = open[at + 1] ?? (at === 0 ? undefined : open[0])
  return (
    <nav class="inbox-alone-head" aria-label={say("Items")}>
      <a class="inbox-back" href="/inbox">
        <Icon name="arrow-left" />
        <span>{say("All items")}</span>
      </a>
      {at >= 0 && open.length > 1 && (
        <span class="inbox-place">{say("{place} of {count}", { place: at + 1, count: open.length })}</span>
      )}
      {next !== undefined && (
        <a class="inbox-back inbox-next" href={itemPath(next.id)} data-next>
          <span>{at < 0 ? say("Next item") : say("Later")}</span>
          <Icon name="chevron-right" />
        </a>
      )}
    </nav>
  )
})
