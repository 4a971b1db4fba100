import { component$ } from "@builder.io/qwik"
import { parseMarkers } from "../../../src/contract/markers/parseMarkers.ts"
import type { InboxKind } from "../core/inbox/inboxTypes.ts"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"

/** What is worth knowing about an item besides its title; what an agent hands in for a review is formatted. */
export const ItemDetail = component$<{ readonly kind: InboxKind; readonly text: string | null }>((props) => {
  const { kind, text } = props
  if (text === null) return null
  if (kind !== "review") return <p class="approval-detail item-detail">{text}</p>
  const shown = parseMarkers(text).text
  return (
    <div class="item-result">
      <MarkdownText text={shown} streaming={false} />
    </div>
  )
})
