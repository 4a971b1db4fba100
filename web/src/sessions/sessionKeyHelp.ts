import { say } from "../core/language/say.ts"

/** The keys of the list of sessions, for the list of shortcuts; `sessionKeys.ts` handles them. */
export const sessionKeyHelp = {
  name: say("List of sessions"),
  commands: [
    { id: "sessions.next", label: say("Next or previous session"), keys: "arrowdown" },
    { id: "sessions.fold", label: say("Show a job's runs"), keys: "arrowright" },
    { id: "sessions.pin", label: say("Pin or unpin the session"), keys: "p" },
    { id: "sessions.archive", label: say("Archive the session, or bring it back"), keys: "e" },
    { id: "sessions.group", label: say("Move the session to a group"), keys: "m" },
    { id: "sessions.delete", label: say("Delete the session"), keys: "delete" },
    { id: "sessions.menu", label: say("All actions of the session"), keys: "shift+f10" }
  ]
}
