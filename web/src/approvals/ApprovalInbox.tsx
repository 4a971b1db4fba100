import { $, component$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import { titleOfKey } from "../core/sessionRows.ts"
import { sessionRequest } from "../sessions/sessionRequest.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ApprovalCard } from "./ApprovalCard.tsx"

/** Everything that agents wait for, whichever session it is from. */
export const ApprovalInbox = component$(() => {
  const app = useServices()
  const open = useReadable(app.console.approvals.open)
  const close = $(() => sessionRequest.set(null))
  const titleOf = (key: string | null) =>
    key === null ? "A session" : (app.console.sessions.find(key)?.title ?? titleOfKey(key))
  return (
    <Dialog title="Waiting for you" onClose$={close}>
      {open.value.length === 0 && (
        <EmptyState icon="check" title="Nothing waits for you" text="Agents that need a permission show up here." />
      )}
      <div class="approval-list">
        {open.value.map((approval) => {
          const { id } = approval
          const where = titleOf(approval.sessionKey)
          return <ApprovalCard key={id} approval={approval} where={where} />
        })}
      </div>
    </Dialog>
  )
})
