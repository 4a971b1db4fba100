import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { type ProposedField, proposalTitle, proposedFields, waitingProposals } from "../core/board/proposals.ts"
import { say } from "../core/language/say.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { useBoard } from "./BoardContext.ts"
import { boardPath } from "./boardView.ts"
import { SidePanel } from "./SidePanel.tsx"
import "../ui/fold.css"
import { taskPath } from "../base/routes.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import { actorText, fieldText, valueText } from "../core/board/boardText.ts"
import type { Proposal } from "../core/board/boardTypes.ts"
import { relativeTime } from "../core/common/timeText.ts"
import { DiffView } from "../ui/DiffView.tsx"
import { Icon } from "../ui/Icon.tsx"
import { StateBadge } from "../ui/StateBadge.tsx"
import { TimeMark } from "../ui/TimeMark.tsx"
import { announce } from "./boardActions.ts"

const reasons = keptValues<string>()

/** A proposal, compared with the card as it is, and the decision on it. */
export const ProposalItem = component$<{ readonly proposal: Proposal }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const reason = useKept(reasons, props.proposal.id, () => "")
  const rejecting = useSignal(() => reason.value !== "")
  const busy = useSignal(false)
  const { proposal } = props
  const { proposedAt } = proposal
  const taskId = typeof proposal.payload.id === "string" ? proposal.payload.id : ""
  const task = taskId === "" ? null : ui.store.find(taskId)
  const fields = proposedFields(proposal, task)
  const title = proposalTitle(proposal, task)
  const gone = proposal.type === "update" && task === null

  const decide = $(async (approve: boolean) => {
    busy.value = true
    const answer = approve
      ? await ui.store.calls.approveProposal(props.proposal.id)
      : await ui.store.calls.rejectProposal(props.proposal.id, reason.value.trim())
    busy.value = false
    if (!answer.ok) {
      app.notices.show(
        answer.error.kind === "conflict" ? "info" : "error",
        proposalFailure(answer.error.kind, answer.error.message)
      )
      return ui.store.refresh()
    }
    ui.store.resolved(props.proposal.id, approve ? "approved" : "rejected", reason.value.trim())
    announce(ui, approve ? say("Proposal approved.") : say("Proposal rejected."))
  })

  return (
    <article class="proposal" data-proposal={proposal.id}>
      <header class="gap-3 can-shrink proposal-head">
        <Icon name={proposal.type === "create" ? "plus" : "wrench"} />
        <div>
          <h3>
            {task === null ? (
              <span>{title}</span>
            ) : (
              <a href={taskPath(task.id)} data-keep-search>
                {title}
              </a>
            )}
          </h3>
          <p class="wrap small proposal-by">
            <span>{proposal.type === "create" ? say("New card") : say("Change")}</span>
            <span>{say("by {name}", { name: actorText(proposal.proposedBy) })}</span>
            <TimeMark at={proposedAt} text={relativeTime(proposal.proposedAt, Date.now())} />
          </p>
        </div>
      </header>
      {gone && (
        <p class="gap-3 soft small proposal-gone">{say("The card it would change is no longer on the board.")}</p>
      )}
      {!gone && fields.length === 0 && (
        <p class="gap-3 soft small proposal-gone">{say("The card already looks like this.")}</p>
      )}
      <dl class="stack gap-2">
        {fields.map((change) => {
          const { field } = change
          return <ProposalField key={field} change={change} isNew={proposal.type === "create"} title={title} />
        })}
      </dl>
      {proposal.status === "pending" && rejecting.value && (
        <div class="field-row">
          <label for={`reason-${proposal.id}`}>{say("Reason (optional)")}</label>
          <textarea
            id={`reason-${proposal.id}`}
            class="field"
            rows={2}
            maxLength={5000}
            value={reason.value}
            onInput$={(_, element) => {
              reason.value = element.value
            }}
          />
        </div>
      )}
      {proposal.status === "pending" && (
        <div class="run-actions">
          {!rejecting.value && (
            <button
              type="button"
              class="button is-primary is-small"
              disabled={busy.value || gone}
              onClick$={() => decide(true)}
            >
              <Icon name="check" />
              <span>{say("Approve")}</span>
            </button>
          )}
          <button
            type="button"
            class="button is-small"
            disabled={busy.value}
            onClick$={() => {
              if (rejecting.value) return decide(false)
              rejecting.value = true
            }}
          >
            <Icon name="x" />
            <span>{rejecting.value ? say("Reject proposal") : say("Reject")}</span>
          </button>
          {rejecting.value && (
            <button
              type="button"
              class="button is-small"
              disabled={busy.value}
              onClick$={() => {
                rejecting.value = false
              }}
            >
              {say("Back")}
            </button>
          )}
        </div>
      )}
      {proposal.status !== "pending" && (
        <p class="gap-3 soft small proposal-done">
          {proposal.status === "approved" ? (
            <StateBadge state="done" text={say("Approved")} isPlain />
          ) : (
            <StateBadge state="denied" text={say("Rejected")} isPlain />
          )}
          {proposal.reason !== null && <span>{proposal.reason}</span>}
        </p>
      )}
    </article>
  )
})

const proposalFailure = (kind: string, message: string): string =>
  kind === "conflict" ? say("Someone else already decided on this proposal.") : message

interface ProposalFieldProps {
  readonly change: ProposedField
  readonly isNew: boolean
  /** The card's title. */
  readonly title: string
}

/** One field of a proposal: its current and its proposed value. */
const ProposalField = component$<ProposalFieldProps>((props) => {
  const ui = useBoard()
  const { config } = ui.state.value
  const { field, before, after } = props.change
  const now = Date.now()
  const long = field === "description" || field === "result"
  return (
    <div class={["stack gap-2 small proposal-field", long && "is-long"]}>
      <dt>{fieldText(field)}</dt>
      {long && !props.isNew ? (
        <dd>
          <DiffView
            about={`${fieldText(field)}, ${props.title}`}
            before={typeof before === "string" ? before : ""}
            after={typeof after === "string" ? after : ""}
            beforeLabel={say("Now")}
            afterLabel={say("Proposed")}
          />
        </dd>
      ) : (
        <dd>
          {!props.isNew && <del>{valueText(field, before, config, now)}</del>}
          <ins>{valueText(field, after, config, now)}</ins>
        </dd>
      )}
    </div>
  )
})

/** Decided proposals shown below the pending ones. */
const SHOWN_DECIDED = 20

/** Changes to the board that agents propose. */
export const InboxPanel = component$(() => {
  const app = useServices()
  const ui = useBoard()
  const { proposals } = ui.state.value
  const waiting = waitingProposals(proposals)
  const decided = proposals.filter(({ status }) => status !== "pending").slice(0, SHOWN_DECIDED)
  const close = $(() => {
    app.router.navigate(boardPath(app))
    document.querySelector<HTMLElement>("[data-inbox]")?.focus()
  })
  return (
    <SidePanel title={say("Proposals")} onClose$={close}>
      <div class="flex-column gap-4 task-scroll">
        {waiting.length === 0 && (
          <EmptyState
            icon="check"
            title={say("Nothing is waiting for you")}
            text={say("When an agent proposes a new card or a change, it appears here.")}
          />
        )}
        {waiting.map((proposal) => {
          const { id } = proposal
          return <ProposalItem key={id} proposal={proposal} />
        })}
        {decided.length > 0 && (
          <details class="task-section fold">
            <summary>
              <h3>{say("Decided")}</h3>
            </summary>
            {decided.map((proposal) => {
              const { id } = proposal
              return <ProposalItem key={id} proposal={proposal} />
            })}
          </details>
        )}
      </div>
    </SidePanel>
  )
})
