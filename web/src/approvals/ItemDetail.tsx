import { component$ } from "@builder.io/qwik"
import { parseMarkers } from "../../../src/contract/markers/parseMarkers.ts"
import { asSentence } from "../core/common/phrases.ts"
import { newValues, placedText } from "../core/inbox/detailText.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"

interface ItemDetailProps {
  readonly item: Pick<InboxItem, "kind" | "taskId">
  readonly text: string | null
}

/** What is worth knowing about an item besides its title; what an agent hands in for a review is formatted. */
export const ItemDetail = component$<ItemDetailProps>((props) => {
  const { text } = props
  const { kind, taskId } = props.item
  if (text === null) return null
  if (kind === "review") {
    const shown = parseMarkers(text).text
    return (
      <div class="item-result">
        <MarkdownText text={shown} streaming={false} />
      </div>
    )
  }
  // Why a run failed is said by the console's server.
  if (kind === "failed") return <p class="approval-detail item-detail">{asSentence(text)}</p>
  const values = kind === "proposal" && taskId !== null ? newValues(text, Date.now()) : null
  if (values === null) return <p class="approval-detail item-detail">{kind === "approval" ? placedText(text) : text}</p>
  return (
    <dl class="item-values item-detail">
      {values.map(({ field, value }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
})
