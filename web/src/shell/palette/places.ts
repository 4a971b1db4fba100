import { SCREENS } from "../../base/screens.ts"
import { say } from "../../core/language/say.ts"

interface Place {
  readonly path: string
  readonly label: string
}

const place = (path: string, label: string): Place => ({ path, label })

const PLACES: ReadonlyArray<Place> = [
  place("/knowledge/memory", say("Memory")),
  place("/knowledge/documents", say("Documents")),
  place("/knowledge/files", say("Files")),
  place("/knowledge/log", say("Agent log")),
  place("/operations/crons", say("Scheduled jobs")),
  place("/operations/skills", say("Skills")),
  place("/operations/usage", say("Usage")),
  place("/operations/gateway", say("Gateway")),
  place("/settings/appearance", say("Appearance")),
  place("/settings/chat", say("Chat settings")),
  place("/settings/voice", say("Voice settings")),
  place("/settings/notifications", say("Notifications")),
  place("/settings/gateways", say("Gateways")),
  place("/settings/agents", say("Agents and their tokens")),
  place("/settings/search", say("Search settings")),
  place("/settings/checks", say("Checks")),
  place("/settings/about", say("About this console"))
]

/** The pages within the screens. */
export const placesWithin = (): ReadonlyArray<Place> =>
  PLACES.filter(({ path }) => SCREENS.some(({ prefix }) => path.startsWith(`${prefix}/`)))
