import type { InboxKind } from "../core/inbox/inboxTypes.ts"
import type { IconName } from "../ui/Icon.tsx"

/** How each kind is drawn. */
export const KIND_ICONS: Readonly<Record<InboxKind, IconName>> = {
  approval: "shield",
  question: "message-square",
  review: "eye",
  proposal: "kanban",
  failed: "triangle-alert",
  pairing: "monitor"
}
