import type { AppServices } from "../base/AppContext.ts"
import { createSession } from "../base/createSession.ts"
import { openSessions } from "../base/openSessions.ts"
import { SCREENS, screenPath } from "../base/screens.ts"
import type { Command } from "../core/commands/CommandRegistry.ts"

/** What can be done on every screen once signed in. */
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
      group: "General",
      keys: "mod+k",
      whileTyping: true,
      run: () => app.overlay.set("palette")
    },
    {
      id: "search",
      label: "Search everything",
      group: "General",
      keys: "/",
      keywords: "find messages",
      run: () => app.router.navigate("/search")
    },
    {
      id: "shortcuts",
      label: "Show all shortcuts",
      group: "General",
      keys: "?",
      keywords: "help keys keyboard",
      run: () => app.overlay.set("shortcuts")
    },
    {
      id: "sessions",
      label: "Find a session",
      group: "General",
      keys: "mod+/",
      keywords: "list filter conversation",
      whileTyping: true,
      run: openSessions
    },
    {
      id: "session.new",
      label: "Start a new session",
      group: "General",
      keys: "g n",
      keywords: "create conversation chat",
      run: () => createSession(app)
    },
    {
      id: "undo",
      label: "Undo the last action",
      group: "General",
      keys: "mod+z",
      when: () => undo() !== undefined,
      run: () => app.notices.act(undo()?.id ?? 0)
    },
    {
      id: "sign-out",
      label: "Sign out",
      group: "General",
      keywords: "log out leave",
      when: () => app.client.auth.get() === "signedIn",
      run: () => app.client.logout()
    }
  ]
}
