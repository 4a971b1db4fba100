import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import { say } from "../core/language/say.ts"
import { Menu } from "../ui/Menu.tsx"
import { sessionActions } from "./sessionActions.ts"

interface SessionMenuProps {
  readonly sessionKey: string
  /** The button it belongs to. */
  readonly anchor: HTMLElement
}

/** The menu of a session in the list; all share one, so that long lists stay light. */
export const SessionMenu = component$<SessionMenuProps>((props) => {
  const app = useServices()
  const row = app.client.sessions.find(props.sessionKey)
  return (
    <Menu
      id="session-menu"
      label={say("Actions for {session}", { session: row?.title ?? say("the session") })}
      items={row === null ? [] : sessionActions(app, row)}
      atOnce
      opener={() => props.anchor}
      onToggle={(isOpen) => {
        if (!isOpen && sessionRequest.get()?.kind === "menu") sessionRequest.set(null)
      }}
    />
  )
})
