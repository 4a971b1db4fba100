import { useVisibleTask$ } from "@builder.io/qwik"
import type { Command } from "../core/commands/CommandRegistry.ts"
import { useServices } from "./AppContext.ts"

/** Registers commands while the component is shown: in the palette, by key, and in the shortcut sheet. */
export const useCommands = (commands: () => ReadonlyArray<Command>): void => {
  const app = useServices()
  useVisibleTask$(({ cleanup }) => cleanup(app.commands.register(commands)), { strategy: "document-ready" })
}
