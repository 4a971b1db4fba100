import { component$ } from "@builder.io/qwik"
import { useReadable } from "../app/useReadable.ts"
import { ApprovalInbox } from "../approvals/ApprovalInbox.tsx"
import { NewSessionDialog } from "./NewSessionDialog.tsx"
import { RenameDialog } from "./RenameDialog.tsx"
import { ResetDialog } from "./ResetDialog.tsx"
import { SessionMenu } from "./SessionMenu.tsx"
import { sessionRequest } from "./sessionRequest.ts"

/** The menu or dialog that was asked for. */
export const SessionTools = component$(() => {
  const request = useReadable(sessionRequest)
  const open = request.value
  if (open === null) return null
  if (open.kind === "new") return <NewSessionDialog />
  if (open.kind === "inbox") return <ApprovalInbox />
  const { key } = open
  if (open.kind === "menu") {
    const { anchor } = open
    return <SessionMenu key={key} sessionKey={key} anchor={anchor} />
  }
  return open.kind === "rename" ? (
    <RenameDialog key={key} sessionKey={key} />
  ) : (
    <ResetDialog key={key} sessionKey={key} />
  )
})
