import type { Command } from "../../core/commands/CommandRegistry.ts"
import { say } from "../../core/language/say.ts"
import type { UserSettings } from "../../core/settings/settingValues.ts"

/** The keys of the list of sessions, for the list of shortcuts; `sessionKeys.ts` handles them. */
const sessionKeyHelp = {
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

/** Shortcuts that work in one place. */
export interface ShortcutGroup {
  readonly name: string
  readonly commands: ReadonlyArray<Pick<Command, "id" | "label" | "keys">>
}

const told = (id: string, label: string, keys: string) => ({ id, label, keys })

/** What the message field handles itself. */
const writing = (sendKey: UserSettings["sendKey"]): ShortcutGroup => ({
  name: say("Writing a message"),
  commands: [
    told("send", say("Send message"), sendKey === "enter" ? "enter" : "mod+enter"),
    told("line", say("New line"), sendKey === "enter" ? "shift+enter" : "enter"),
    told("recall", say("Recall your last message (in an empty field)"), "arrowup"),
    told("stop", say("Stop response"), "escape")
  ]
})

/**
 * The shortcuts for the help sheet: one group per place, in order of first appearance. Keys that a screen uses for
 * something of its own only do that.
 */
export const shortcutGroups = (
  commands: ReadonlyArray<Command>,
  sendKey: UserSettings["sendKey"]
): ReadonlyArray<ShortcutGroup> => {
  const groups = new Map<string, Array<Command>>()
  const taken = new Set<string>()
  for (const command of commands) {
    if (command.keys === undefined || (taken.has(command.keys) && command.helpOnly !== true)) continue
    taken.add(command.keys)
    groups.set(command.group, [...(groups.get(command.group) ?? []), command])
  }
  return [...[...groups].map(([name, members]) => ({ name, commands: members })), writing(sendKey), sessionKeyHelp]
}
