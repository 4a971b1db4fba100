import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import type { Approval, Decision } from "../core/ApprovalsStore.ts"
import { duration } from "../core/timeText.ts"
import { Icon } from "../ui/Icon.tsx"
import { useNow } from "../ui/useNow.ts"
import "./approvals.css"

const LABELS: Readonly<Record<Decision, string>> = {
  "allow-once": "Allow once",
  "allow-always": "Always allow",
  deny: "Deny"
}

/** The time left to answer, when it is short enough to matter. */
const TimeLeft = component$<{ readonly until: number }>((props) => {
  const now = useNow(1_000)
  const left = props.until - now.value
  return left < 3_600_000 ? <p class="approval-time">{`Ends in ${duration(left)} as a no.`}</p> : null
})

/** One request of an agent, with its answers. */
export const ApprovalCard = component$<{ readonly approval: Approval; readonly where?: string }>((props) => {
  const app = useServices()
  const { approval } = props
  const until = approval.expiresAt
  const busy = useSignal(false)
  const answer = $(async (decision: Decision) => {
    busy.value = true
    const done = await app.console.approvals.resolve(approval, decision)
    busy.value = false
    if (!done.ok) app.notices.show("error", done.message)
  })
  return (
    <section class="approval" aria-label="The agent asks for permission" data-approval={approval.id}>
      <header class="approval-head">
        <Icon name="shield" />
        <h3>{approval.kind === "exec" ? "May the agent run this command?" : "May the agent do this?"}</h3>
      </header>
      {props.where !== undefined && <p class="approval-where">{props.where}</p>}
      <pre class="approval-what" tabIndex={0}>
        {approval.title}
      </pre>
      {approval.detail !== null && <p class="approval-detail">{approval.detail}</p>}
      {approval.place !== null && <p class="approval-detail">{`In ${approval.place}`}</p>}
      <div class="approval-answers">
        {approval.decisions.map((decision) => (
          <button
            key={decision}
            type="button"
            class={["button is-small", decision === "allow-once" && "is-primary"]}
            disabled={busy.value}
            onClick$={() => answer(decision)}
          >
            {LABELS[decision]}
          </button>
        ))}
        <TimeLeft until={until} />
      </div>
    </section>
  )
})
