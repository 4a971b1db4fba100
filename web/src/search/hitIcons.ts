import type { SearchKind } from "../../../src/contract/search.ts"
import { kindOf } from "../sessions/sessionPresentation.ts"
import type { IconName } from "../ui/Icon.tsx"

/** The icon of each kind of hit, as the screen it opens has it. */
export const HIT_ICONS: Readonly<Record<SearchKind, IconName>> = {
  message: kindOf("chat").icon,
  task: "kanban",
  memory: "brain",
  document: "file",
  log: "activity"
}
