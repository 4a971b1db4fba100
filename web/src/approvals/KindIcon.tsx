import circleHelp from "../../icons/circle-help.svg?shapes"
import type { InboxKind } from "../core/inbox/inboxTypes.ts"
import { Glyph, type IconName, LineIcon } from "../ui/Icon.tsx"

const ICONS: Readonly<Record<Exclude<InboxKind, "question">, IconName>> = {
  approval: "shield",
  review: "eye",
  proposal: "kanban",
  failed: "triangle-alert",
  pairing: "monitor"
}

/** How each kind of item is drawn. */
export const KindIcon = (props: { readonly kind: InboxKind }) => {
  const { kind } = props
  if (kind === "question") return <LineIcon shapes={circleHelp} />
  const icon = ICONS[kind]
  return <Glyph name={icon} />
}
