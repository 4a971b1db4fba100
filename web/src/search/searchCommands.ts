import type { Command } from "../core/commands/CommandRegistry.ts"

const help = (keys: string, label: string): Command => ({
  id: `search.help ${keys}`,
  label,
  group: "Search",
  keys,
  helpOnly: true,
  run: () => {}
})

/** The keys of the search; `searchKeys.ts` handles those that are only listed. */
export const searchCommands = (focusField: () => void): ReadonlyArray<Command> => [
  { id: "search", label: "Search everything", group: "Search", keys: "/", keywords: "find", run: focusField },
  help("arrowdown", "Next result"),
  help("arrowup", "Previous result"),
  help("enter", "Open the result")
]
