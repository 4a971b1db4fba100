import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { type SessionRequest, sessionRequest } from "../base/sessionRequest.ts"
import { say } from "../core/language/say.ts"
import { Menu } from "../ui/Menu.tsx"
import { groupActions } from "./groupActions.ts"
import { sessionActions } from "./sessionActions.ts"

interface SessionMenuProps {
  readonly request: Extract<SessionRequest, { readonly kind: "menu" | "groupMenu" }>
}

/** The menu of a session in the list, or of a group; all share one, so that long lists stay light. */
export const SessionMenu = component$<SessionMenuProps>((props) => {
  const app = useServices()
  const { request } = props
  const row = request.kind === "menu" ? app.client.sessions.find(request.key) : null
  const name = request.kind === "menu" ? (row?.title ?? say("the session")) : request.group
  return (
    <Menu
      id="session-menu"
      label={say("Actions for {session}", { session: name })}
      items={
        request.kind === "groupMenu" ? groupActions(app, request.group) : row === null ? [] : sessionActions(app, row)
      }
      atOnce
      opener={() => request.anchor}
      onToggle={(isOpen) => {
        const kind = sessionRequest.get()?.kind
        if (!isOpen && (kind === "menu" || kind === "groupMenu")) sessionRequest.set(null)
      }}
    />
  )
})
