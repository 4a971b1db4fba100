import type { AppServices } from "../base/AppContext.ts"
import { SCREENS, screenPath } from "../base/routes.ts"
import { createSession, openSessions } from "../base/sessionRequest.ts"
import type { Command } from "../core/commands/CommandRegistry.ts"
import { below } from "../core/common/basePath.ts"
import { say } from "../core/language/say.ts"
import { itemPath } from "../inbox/inboxPath.ts"

/** Opens what waits for a person: the item after the open one, or the most urgent, round and round. */
const nextWaiting = ({ client, notices, router }: AppServices): void => {
  const paths = client.inbox.open.get().map(({ id }) => itemPath(id))
  const next = paths[(paths.indexOf(router.location.get().pathname) + 1) % paths.length]
  if (next === undefined) notices.show("info", say("Nothing waits for you."))
  else router.navigate(next)
}

/** Hides the sessions beside the rail, and shows them again. */
export const toggleSidebar = ({ client: { settings } }: AppServices): void =>
  settings.update({ sidebar: settings.state.get().sidebar === "open" ? "collapsed" : "open" })

/** What can be done on every screen once signed in. */
export const shellCommands = (app: AppServices): ReadonlyArray<Command> => {
  const undo = () => app.notices.shown.get().findLast((notice) => notice.action?.label === say("Undo"))
  return [
    ...SCREENS.map((screen) => ({
      id: `go.${screen.name}`,
      label: screen.label,
      group: say("Go to"),
      keys: `g ${screen.jump}`,
      run: () => app.router.navigate(screenPath(screen))
    })),
    {
      id: "palette",
      label: say("Open the command palette"),
      group: say("General"),
      keys: "mod+k",
      whileTyping: true,
      run: () => app.overlay.set("palette")
    },
    {
      id: "search",
      label: say("Search everything"),
      group: say("General"),
      keys: "/",
      keywords: "find messages",
      run: () => app.router.navigate(below("/search"))
    },
    {
      id: "shortcuts",
      label: say("Show all shortcuts"),
      group: say("General"),
      keys: "?",
      keywords: "help keys keyboard",
      run: () => app.overlay.set("shortcuts")
    },
    {
      id: "sessions",
      label: say("Find a session"),
      group: say("General"),
      keys: "mod+/",
      keywords: "list filter conversation",
      whileTyping: true,
      run: openSessions
    },
    {
      id: "sidebar",
      label: say("Show or hide the sidebar"),
      group: say("General"),
      keys: "mod+b",
      keywords: "collapse expand width",
      whileTyping: true,
      run: () => toggleSidebar(app)
    },
    {
      id: "session.new",
      label: say("Start a new session"),
      group: say("General"),
      keys: "g n",
      keywords: "create conversation chat",
      run: () => createSession(app)
    },
    {
      id: "waiting.next",
      label: say("Go to what waits for you next"),
      group: say("General"),
      keys: "g w",
      keywords: "inbox approval question review",
      run: () => nextWaiting(app)
    },
    {
      id: "undo",
      label: say("Undo the last action"),
      group: say("General"),
      keys: "mod+z",
      when: () => undo() !== undefined,
      run: () => app.notices.act(undo()?.id ?? 0)
    },
    {
      id: "sign-out",
      label: say("Sign out"),
      group: say("General"),
      keywords: "log out leave",
      when: () => app.client.auth.get() === "signedIn",
      run: () => app.client.logout()
    }
  ]
}
