import { component$, useConstant } from "@builder.io/qwik"
import { parseMarkers } from "../../../src/contract/markers/parseMarkers.ts"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { boardOf } from "../core/board/boardOf.ts"
import { fieldText, valueText } from "../core/board/boardText.ts"
import type { BoardConfig, Proposal, Task } from "../core/board/boardTypes.ts"
import { type ProposedField, proposalOfItem, proposedFields } from "../core/board/proposals.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { say } from "../core/language/say.ts"
import { DiffView } from "../ui/DiffView.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"

interface ProposalFieldProps {
  readonly change: ProposedField
  readonly config: BoardConfig | null
  /** There is nothing to compare it with. */
  readonly isNew: boolean
  /** The title of the item. */
  readonly title: string
}

/** One field of a proposal: its current and its proposed value. */
const ProposalField = component$<ProposalFieldProps>((props) => {
  const { change, config, isNew, title } = props
  const { after, before, field } = change
  const { store } = boardOf(useServices().client)
  const now = Date.now()
  const textOf = (value: unknown) => valueText(field, value, config, now, (id) => store.find(id)?.title ?? id)
  const isLong = field === "description" || field === "result"
  const words = typeof after === "string" ? after : ""
  return (
    <div class={["proposal-field", isLong && "is-long"]}>
      <dt>{fieldText(field)}</dt>
      {isLong && isNew && (
        <dd>
          <MarkdownText text={words} streaming={false} />
        </dd>
      )}
      {isLong && !isNew && (
        <dd>
          <DiffView
            about={`${fieldText(field)}, ${title}`}
            before={typeof before === "string" ? before : ""}
            after={words}
            beforeLabel={say("Now")}
            afterLabel={say("Proposed")}
          />
        </dd>
      )}
      {!isLong && (
        <dd>
          {!isNew && <del>{textOf(before)}</del>}
          <ins>{textOf(after)}</ins>
        </dd>
      )}
    </div>
  )
})

interface ProposalDetailProps {
  readonly proposal: Proposal
  /** The card as it is; null for a new one. */
  readonly task: Task | null
  readonly config: BoardConfig | null
  readonly title: string
}

/** A proposal, compared with the card as it is; once it's decided, there is nothing left to compare it with. */
const ProposalDetail = component$<ProposalDetailProps>((props) => {
  const { config, proposal, task, title } = props
  const isNew = proposal.type === "create" || proposal.status !== "pending"
  // The title of a new card is that of its item.
  const fields = proposedFields(proposal, isNew ? null : task).filter(
    ({ field }) => proposal.type !== "create" || field !== "title"
  )
  if (!isNew && task === null)
    return <p class="approval-detail">{say("The card it would change is no longer on the board.")}</p>
  if (!isNew && fields.length === 0) return <p class="approval-detail">{say("The card already looks like this.")}</p>
  return (
    <dl class="stack gap-2 small can-shrink proposal">
      {fields.map((change) => {
        const { field } = change
        return <ProposalField key={field} change={change} config={config} isNew={isNew} title={title} />
      })}
      {proposal.reason !== null && <dd class="approval-detail">{proposal.reason}</dd>}
    </dl>
  )
})

/** All of what an item about a card says: a proposal as a comparison, a result to its end. */
export const BoardDetail = component$<{ readonly item: InboxItem }>((props) => {
  const app = useServices()
  const { store } = useConstant(() => boardOf(app.client))
  const board = useReadable(store.state, { perFrame: true })
  const { config, proposals, status } = board.value
  const { detail, kind, state, taskId, title } = props.item
  const task = taskId === null ? null : store.find(taskId)
  if (kind === "review") {
    const isWhole = state === "open" && task?.result != null
    const result = parseMarkers(isWhole ? markUnseen(task.result ?? "", "prose") : (detail ?? "")).text
    return (
      <div class="can-shrink small break-words item-result">
        <MarkdownText text={result} streaming={false} />
      </div>
    )
  }
  const proposal = proposalOfItem(props.item, proposals)
  if (proposal !== undefined) return <ProposalDetail proposal={proposal} task={task} config={config} title={title} />
  if (status === "loading") return <LoadingState label={say("Loading…")} />
  return <p class="approval-detail pre-wrap item-detail">{detail}</p>
})
