import { component$ } from "@builder.io/qwik"
import { sessionRequest } from "../base/sessionRequest.ts"
import { useReadable } from "../base/useReadable.ts"
import { GroupDialog } from "./GroupDialog.tsx"
import { NewSessionDialog } from "./NewSessionDialog.tsx"
import { RenameDialog } from "./RenameDialog.tsx"
import { RenameGroupDialog } from "./RenameGroupDialog.tsx"
import { ResetDialog } from "./ResetDialog.tsx"
import { SessionMenu } from "./SessionMenu.tsx"

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
