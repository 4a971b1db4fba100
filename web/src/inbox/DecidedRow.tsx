import { component$ } from "@builder.io/qwik"
import { KindIcon } from "../approvals/KindIcon.tsx"
import { fullTime, relativeTime } from "../core/common/timeText.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { titleOf } from "../core/inbox/kindText.ts"
import { deciderText, decisionText } from "../core/inbox/outcomeText.ts"
import { itemPath } from "./inboxPath.ts"

/** An item that has ended: what was decided, by whom and when. */
export const DecidedRow = component$<{ readonly item: InboxItem; readonly now: number }>((props) => {
  const { item } = props
  const { kind } = item
  const at = item.resolution?.at ?? item.createdAt
  return (
    <a class="decided" href={itemPath(item.id)} data-decided={item.id}>
      <KindIcon kind={kind} />
      <span class="decided-title">{titleOf(item)}</span>
      <span class="decided-how">{decisionText(item)}</span>
      <span class="decided-when" title={fullTime(at)}>
        {`${deciderText(item)} · ${relativeTime(at, props.now)}`}
      </span>
    </a>
  )
})
