import type { Command } from "../core/commands/CommandRegistry.ts"
import type { UserSettings } from "../core/settings/settingValues.ts"

/** Shortcuts that hold in one place. */
export interface ShortcutGroup {
  readonly name: string
  readonly commands: ReadonlyArray<Pick<Command, "id" | "label" | "keys">>
}

const told = (id: string, label: string, keys: string) => ({ id, label, keys })

/** What the message field does by itself. */
const writing = (sendKey: UserSettings["sendKey"]): ShortcutGroup => ({
  name: "Writing a message",
  commands: [
    told("send", "Send the message", sendKey === "enter" ? "enter" : "mod+enter"),
    told("line", "Begin a new line", sendKey === "enter" ? "shift+enter" : "enter"),
    told("recall", "Bring the last own message back (in an empty field)", "arrowup"),
    told("stop", "Stop the answer", "escape")
  ]
})

/** The shortcuts for the help sheet: one group for each place, in the order in which they are found there. */
export const shortcutGroups = (
  commands: ReadonlyArray<Command>,
  sendKey: UserSettings["sendKey"]
): ReadonlyArray<ShortcutGroup> => {
  const groups = new Map<string, Array<Command>>()
  for (const command of commands) {
    if (command.keys === undefined) continue
    groups.set(command.group, [...(groups.get(command.group) ?? []), command])
  }
  return [...[...groups].map(([name, members]) => ({ name, commands: members })), writing(sendKey)]
}
