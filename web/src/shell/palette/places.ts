import { SCREENS } from "../../base/screens.ts"
import { say } from "../../core/language/say.ts"

interface Place {
  readonly path: string
  readonly label: string
}

const place = (path: string, label: string): Place => ({ path, label })

const PLACES: ReadonlyArray<Place> = [
  place("/knowledge/memory", "Memory"),
  place("/knowledge/documents", "Documents"),
  place("/knowledge/files", "Files"),
  place("/knowledge/log", say("Agent log")),
  place("/operations/crons", say("Scheduled jobs")),
  place("/operations/skills", "Skills"),
  place("/operations/usage", "Usage"),
  place("/operations/gateway", "Gateway"),
  place("/settings/appearance", "Appearance"),
  place("/settings/chat", say("Chat settings")),
  place("/settings/voice", say("Voice settings")),
  place("/settings/notifications", "Notifications"),
  place("/settings/gateways", "Gateways"),
  place("/settings/agents", say("Agents and their tokens")),
  place("/settings/search", say("Search settings")),
  place("/settings/checks", "Checks"),
  place("/settings/about", say("About this console"))
]

/** The pages within the screens. */
export const placesWithin = (): ReadonlyArray<Place> =>
  PLACES.filter(({ path }) => SCREENS.some(({ prefix }) => path.startsWith(`${prefix}/`)))
