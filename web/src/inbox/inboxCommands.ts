import type { Command } from "../core/commands/CommandRegistry.ts"
import { say } from "../core/language/say.ts"

const help = (keys: string, label: string): Command => ({
  id: `inbox.help ${keys}`,
  label,
  group: say("Inbox"),
  keys,
  helpOnly: true,
  run: () => {}
})

/** The keys of the inbox, for the list of shortcuts; `inboxKeys.ts` handles them. */
export const inboxCommands = (): ReadonlyArray<Command> => [
  help("j", say("Next item (or arrow down)")),
  help("k", say("Previous item (or arrow up)")),
  help("a", say("Allow once, or approve")),
  help("w", say("Always allow")),
  help("d", say("Deny, reject or dismiss")),
  help("s", say("Skip the question")),
  help("b", say("Send back")),
  help("r", say("Retry")),
  help("1", say("Choose an option (1 to 9)")),
  help("enter", say("Answer, or open what it's about")),
  help("x", say("Select the item"))
]
