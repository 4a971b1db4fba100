import { component$ } from "@builder.io/qwik"
import { CommandText } from "../approvals/CommandText.tsx"
import { ItemDetail } from "../approvals/ItemDetail.tsx"
import { ItemHead } from "../approvals/ItemHead.tsx"
import { fullTime } from "../core/common/timeText.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { wordsOf } from "../core/inbox/kindText.ts"
import { deciderText, decisionText } from "../core/inbox/outcomeText.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"

/** An item that has ended, alone: what was decided, when and by whom. */
export const EndedCard = component$<{ readonly item: InboxItem }>((props) => {
  const { item } = props
  const { what, more } = wordsOf(item)
  const at = item.resolution?.at ?? item.createdAt
  return (
    <section class={["approval is-ended", `is-${item.kind}`]} aria-label={say("Decided")} data-ended={item.id}>
      <ItemHead item={item} />
      {item.kind === "approval" && <CommandText text={what} />}
      {item.kind === "question" && <p class="item-title">{what}</p>}
      <ItemDetail item={item} text={more} />
      <div class="item-end">
        <Icon name={item.resolution?.by === "timeout" ? "hourglass" : "check"} />
        <p class="item-end-how">{decisionText(item)}</p>
        <p class="approval-detail">{`${deciderText(item)} · ${fullTime(at)}`}</p>
      </div>
    </section>
  )
})
