import type { ScreenName } from "../base/routes.ts"
import type { IconName } from "../ui/Icon.tsx"

/** How the screens are drawn where they are chosen from. */
export const SCREEN_ICONS: Readonly<Record<ScreenName, IconName>> = {
  chat: "message-square",
  inbox: "inbox",
  board: "kanban",
  knowledge: "brain",
  operations: "activity",
  search: "search",
  settings: "settings"
}
