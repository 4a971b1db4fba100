import { component$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import { ApprovalCard } from "./ApprovalCard.tsx"

/** What the agent of one session waits for, answered where the conversation is. */
export const SessionApprovals = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const open = useReadable(app.console.approvals.open)
  const own = open.value.filter(({ sessionKey }) => sessionKey === props.sessionKey)
  return (
    <div class="approval-place" aria-live="polite">
      {own.map((approval) => {
        const { id } = approval
        return <ApprovalCard key={id} approval={approval} />
      })}
    </div>
  )
})
