import { SCREENS } from "../../base/screens.ts"

interface Place {
  readonly path: string
  readonly label: string
}

const place = (path: string, label: string): Place => ({ path, label })

const PLACES: ReadonlyArray<Place> = [
  place("/knowledge/memory", "Memory"),
  place("/knowledge/documents", "Documents"),
  place("/knowledge/files", "Files"),
  place("/knowledge/log", "Agent log"),
  place("/operations/crons", "Scheduled jobs"),
  place("/operations/skills", "Skills"),
  place("/operations/usage", "Usage"),
  place("/operations/gateway", "Gateway"),
  place("/settings/appearance", "Appearance"),
  place("/settings/chat", "Chat settings"),
  place("/settings/voice", "Voice settings"),
  place("/settings/notifications", "Notifications"),
  place("/settings/gateways", "Gateways"),
  place("/settings/agents", "Agents and their tokens"),
  place("/settings/search", "Search settings"),
  place("/settings/checks", "Checks"),
  place("/settings/about", "About this console")
]

/** The pages within the screens. */
export const placesWithin = (): ReadonlyArray<Place> =>
  PLACES.filter(({ path }) => SCREENS.some(({ prefix }) => path.startsWith(`${prefix}/`)))
