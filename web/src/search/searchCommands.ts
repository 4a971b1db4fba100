import type { Command } from "../core/commands/CommandRegistry.ts"
import { say } from "../core/language/say.ts"

const help = (keys: string, label: string): Command => ({
  id: `search.help ${keys}`,
  label,
  group: say("Search"),
  keys,
  helpOnly: true,
  run: () => {}
})

/** The keys of the search; `searchKeys.ts` handles those that are only listed. */
export const searchCommands = (focusField: () => void): ReadonlyArray<Command> => [
  { id: "search", label: say("Search everything"), group: say("Search"), keys: "/", keywords: "find", run: focusField },
  help("arrowdown", say("Next result")),
  help("arrowup", say("Previous result")),
  help("enter", say("Open the result"))
]
