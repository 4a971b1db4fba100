import type { Command } from "../core/commands/CommandRegistry.ts"
import { useServices } from "./AppContext.ts"
import { useBrowserTask$ } from "./useBrowserTask.ts"

/** Registers commands while the component is shown: in the palette, by key, and in the shortcut sheet. */
export const useCommands = (commands: () => ReadonlyArray<Command>): void => {
  const app = useServices()
  useBrowserTask$(({ cleanup }) => cleanup(app.commands.register(commands)))
}
