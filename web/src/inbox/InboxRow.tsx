import { component$ } from "@builder.io/qwik"
import { CommandWords } from "../approvals/CommandText.tsx"
import { KIND_ICONS } from "../approvals/kindIcon.ts"
import { SinceNote } from "../approvals/SinceNote.tsx"
import { TimeLeft } from "../approvals/TimeLeft.tsx"
import { useSessionTitle } from "../approvals/useSessionTitle.ts"
import { firstWords, newValues } from "../core/inbox/detailText.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { headingOf } from "../core/inbox/kindText.ts"
import { Icon } from "../ui/Icon.tsx"
import { itemPath } from "./inboxPath.ts"

/** What it is about in one line: of a proposed change what would become of the card, of all else how it begins. */
const shortDetail = ({ kind, taskId }: InboxItem, detail: string): string => {
  const values = kind === "proposal" && taskId !== null ? newValues(detail, Date.now()) : null
  return values === null ? firstWords(detail) : values.map(({ field, value }) => `${field}: ${value}`).join(" · ")
}

/** An item in a phone's list: what it is about, and the way to the screen where it is decided. */
export const InboxRow = component$<{ readonly item: InboxItem }>((props) => {
  const { item } = props
  const { detail, expiresAt, id, kind, sessionKey, title } = item
  const icon = KIND_ICONS[kind]
  const words = detail === null || kind === "approval" ? "" : shortDetail(item, detail)
  const session = useSessionTitle(kind === "approval" || kind === "question" ? sessionKey : null)
  return (
    <a class={["inbox-row", `is-${kind}`]} href={itemPath(id)} data-open data-inbox-item={id}>
      <Icon name={icon} />
      <span class="inbox-row-head">{headingOf(item)}</span>
      <span class={["inbox-row-what", kind === "approval" && "is-code"]}>
        {kind === "approval" ? <CommandWords text={title} /> : title}
      </span>
      {words !== "" && <span class="inbox-row-detail">{words}</span>}
      <span class="inbox-row-foot">
        {session.value !== "" && <span class="inbox-row-session">{session.value}</span>}
        <SinceNote item={item} />
        {expiresAt !== null && <TimeLeft until={expiresAt} end={kind === "approval" ? "denied" : "expired"} />}
      </span>
    </a>
  )
})
