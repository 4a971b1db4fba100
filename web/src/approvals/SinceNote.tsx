import { component$ } from "@builder.io/qwik"
import { fullTime, relativeTime } from "../core/common/timeText.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { askerOf } from "../core/inbox/kindText.ts"
import { useNow } from "../ui/useNow.ts"

/** Who asks, and since when. */
export const SinceNote = component$<{ readonly item: Pick<InboxItem, "createdAt" | "sessionKey"> }>((props) => {
  const now = useNow(30_000)
  const { createdAt } = props.item
  const asker = askerOf(props.item)
  const since = relativeTime(createdAt, now.value)
  return (
    <span class="soft small nowrap item-since" title={fullTime(createdAt)}>
      {asker === null ? since : `${asker} · ${since}`}
    </span>
  )
})
