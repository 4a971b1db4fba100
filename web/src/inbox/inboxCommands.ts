import type { Command } from "../core/commands/CommandRegistry.ts"

const help = (keys: string, label: string): Command => ({
  id: `inbox.help ${keys}`,
  label,
  group: "Inbox",
  keys,
  helpOnly: true,
  run: () => {}
})

/** The keys of the inbox, for the list of shortcuts; `inboxKeys.ts` handles them. */
export const inboxCommands = (): ReadonlyArray<Command> => [
  help("j", "Next item (or arrow down)"),
  help("k", "Previous item (or arrow up)"),
  help("a", "Allow once, or approve"),
  help("w", "Always allow"),
  help("d", "Deny, reject or dismiss"),
  help("s", "Skip the question"),
  help("b", "Send back"),
  help("r", "Retry"),
  help("1", "Choose an option (1 to 9)"),
  help("enter", "Answer, or open what it's about"),
  help("x", "Select the item")
]
