import { component$ } from "@builder.io/qwik"
import { KIND_ICONS } from "../approvals/kindIcon.ts"
import { SinceNote } from "../approvals/SinceNote.tsx"
import { TimeLeft } from "../approvals/TimeLeft.tsx"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { headingOf } from "../core/inbox/kindText.ts"
import { Icon } from "../ui/Icon.tsx"
import { itemPath } from "./inboxPath.ts"

/** An item in a phone's list: what it is about, and the way to the screen where it is decided. */
export const InboxRow = component$<{ readonly item: InboxItem }>((props) => {
  const { item } = props
  const { detail, expiresAt, id, kind } = item
  const icon = KIND_ICONS[kind]
  return (
    <a class={["inbox-row", `is-${kind}`]} href={itemPath(id)} data-open data-inbox-item={id}>
      <Icon name={icon} />
      <span class="inbox-row-head">{headingOf(item)}</span>
      <span class={["inbox-row-what", kind === "approval" && "is-code"]}>{item.title}</span>
      {kind !== "approval" && detail !== null && <span class="inbox-row-detail">{detail}</span>}
      <span class="inbox-row-foot">
        <SinceNote item={item} />
        {expiresAt !== null && <TimeLeft until={expiresAt} end={kind === "approval" ? "denied" : "expired"} />}
      </span>
    </a>
  )
})
