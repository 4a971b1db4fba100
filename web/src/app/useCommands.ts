import { useVisibleTask$ } from "@builder.io/qwik"
import type { Command } from "../core/commands/CommandRegistry.ts"
import { useServices } from "./ConsoleContext.ts"

/** Offers commands for as long as the component is shown: in the palette, by their keys, and in the sheet of shortcuts. */
export const useCommands = (commands: () => ReadonlyArray<Command>): void => {
  const app = useServices()
  useVisibleTask$(({ cleanup }) => cleanup(app.commands.register(commands())), { strategy: "document-ready" })
}
