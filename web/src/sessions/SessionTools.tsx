import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { type SessionRequest, sessionRequest } from "../base/sessionRequest.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { Menu } from "../ui/Menu.tsx"
import { GroupDialog } from "./GroupDialog.tsx"
import { groupActions } from "./groupActions.ts"
import { NewSessionDialog } from "./NewSessionDialog.tsx"
import { RenameDialog } from "./RenameDialog.tsx"
import { RenameGroupDialog } from "./RenameGroupDialog.tsx"
import { ResetDialog } from "./ResetDialog.tsx"
import { sessionActions } from "./sessionActions.ts"

interface SessionMenuProps {
  readonly request: Extract<SessionRequest, { readonly kind: "menu" | "groupMenu" }>
}

/** The menu of a session in the list, or of a group; all share one, so that long lists stay light. */
const SessionMenu = component$<SessionMenuProps>((props) => {
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

/** The requested menu or dialog. */
export const SessionTools = component$(() => {
  const request = useReadable(sessionRequest)
  const open = request.value
  if (open === null) return null
  if (open.kind === "new") return <NewSessionDialog />
  if (open.kind === "groupName") {
    const { group } = open
    return <RenameGroupDialog key={group} group={group} />
  }
  if (open.kind === "groupMenu") {
    const { group } = open
    return <SessionMenu key={group} request={open} />
  }
  const { key } = open
  if (open.kind === "group") return <GroupDialog key={key} sessionKey={key} />
  if (open.kind === "menu") return <SessionMenu key={key} request={open} />
  return open.kind === "rename" ? (
    <RenameDialog key={key} sessionKey={key} />
  ) : (
    <ResetDialog key={key} sessionKey={key} />
  )
})
