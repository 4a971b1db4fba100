import { SCREENS } from "../../base/screens.ts"
import type { Command } from "../../core/commands/CommandRegistry.ts"
import type { WorkState } from "../../core/common/stateWords.ts"
import type { IconName } from "../../ui/Icon.tsx"
import { SCREEN_ICONS } from "../screenIcons.ts"
import { COMMAND_ICONS } from "./commandIcons.ts"

/** A command as the palette shows it. */
export interface PaletteEntry extends Command {
  readonly icon?: IconName
  /** What is worth knowing about it, at its end. */
  readonly note?: string
  /** How a session's work stands, drawn instead of its icon. */
  readonly state?: WorkState | null
  /** The same in words, which a phone has no room for. */
  readonly stateText?: string
}

/** The icon of the screen that an address belongs to. */
export const placeIcon = (path: string): IconName => {
  const screen = SCREENS.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`)) ?? SCREENS[0]
  return SCREEN_ICONS[screen?.name ?? "chat"]
}

/** A command's icon: a screen's own, what it does, or the same for everything that is done. */
export const commandIcon = (id: string): IconName => {
  const screen = SCREENS.find(({ name }) => id === `go.${name}`)
  // What follows a space tells commands of one kind apart.
  const kind = id.slice(0, `${id} `.indexOf(" "))
  return screen === undefined ? (COMMAND_ICONS[kind] ?? "play") : SCREEN_ICONS[screen.name]
}
