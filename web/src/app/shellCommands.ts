import type { Command } from "../core/commands/CommandRegistry.ts"
import type { AppServices } from "./ConsoleContext.ts"
import { createSession } from "./createSession.ts"
import { openSessions } from "./openSessions.ts"
import { SCREENS, screenPath } from "./screens.ts"

/** What can be done on every screen, once somebody is signed in. */
export const shellCommands = (app: AppServices): ReadonlyArray<Command> => {
  const undo = () => app.notices.shown.get().findLast((notice) => notice.action?.label === "Undo")
  return [
    ...SCREENS.map((screen) => ({
      id: `go.${screen.name}`,
      label: `Go to ${screen.label}`,
      group: "Go to",
      keys: `g ${screen.jump}`,
      run: () => app.router.navigate(screenPath(screen))
    })),
    {
      id: "palette",
      label: "Open the command palette",
      group: "Everywhere",
      keys: "mod+k",
      whileTyping: true,
      run: () => app.overlay.set("palette")
    },
    {
      id: "shortcuts",
      label: "Show all shortcuts",
      group: "Everywhere",
      keys: "?",
      keywords: "help keys keyboard",
      run: () => app.overlay.set("shortcuts")
    },
    {
      id: "sessions",
      label: "Find a session",
      group: "Everywhere",
      keys: "mod+/",
      keywords: "list filter conversation",
      whileTyping: true,
      run: openSessions
    },
    {
      id: "session.new",
      label: "Start a new session",
      group: "Everywhere",
      keywords: "create conversation chat",
      run: () => createSession(app)
    },
    {
      id: "undo",
      label: "Undo what was just done",
      group: "Everywhere",
      keys: "mod+z",
      when: () => undo() !== undefined,
      run: () => app.notices.act(undo()?.id ?? 0)
    },
    {
      id: "sign-out",
      label: "Sign out",
      group: "Everywhere",
      keywords: "log out leave",
      when: () => app.console.auth.get() === "signedIn",
      run: () => app.console.logout()
    }
  ]
}
