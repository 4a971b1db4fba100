import type { TaskMarker } from "../../../../src/contract/markers/taskMarker.ts"
import { markUnseen } from "../../../../src/contract/unseenCharacters.ts"
import { below } from "../common/basePath.ts"
import { type BoardSource, boardOf } from "./boardOf.ts"
import { PROPOSED_FIELDS } from "./boardText.ts"
import type { Proposal, Task, TaskField } from "./boardTypes.ts"
import { sameValue } from "./mergeTask.ts"

/** What became of something an agent proposed in a conversation, and where to look at it. */
export interface ProposedCard {
  readonly status: Proposal["status"]
  readonly reason: string | null
  readonly href: string
}

/** What a response proposed, and when. */
export interface Proposing {
  readonly sessionKey: string
  readonly at: number | null
  readonly tasks: ReadonlyArray<TaskMarker>
}

const WAITING = below("/inbox?kind=proposal")
const DECIDED = below("/inbox?show=decided&kind=proposal")

/** The nearest in time; the same thing may have been proposed more than once. */
const nearest = <A>(all: ReadonlyArray<A>, at: number | null, timeOf: (one: A) => number): A | undefined =>
  all.toSorted((a, b) => Math.abs(timeOf(a) - (at ?? 0)) - Math.abs(timeOf(b) - (at ?? 0)))[0]

const proposalOf = (proposals: ReadonlyArray<Proposal>, { sessionKey, at }: Proposing, { kind, payload }: TaskMarker) =>
  nearest(
    proposals.filter(
      (one) =>
        one.sourceSessionKey === sessionKey &&
        one.type === kind &&
        (kind === "create" ? one.payload.title === payload.title : one.payload.id === payload.id)
    ),
    at,
    ({ proposedAt }) => proposedAt
  )

const hrefOf = (proposal: Proposal, cards: ReadonlyArray<Task>): string => {
  if (proposal.status === "pending") return WAITING
  if (proposal.status === "rejected") return DECIDED
  const made = nearest(
    cards.filter(({ id, title, sourceSessionKey }) =>
      proposal.type === "update"
        ? id === proposal.payload.id
        : sourceSessionKey === proposal.sourceSessionKey && title === proposal.payload.title
    ),
    proposal.resolvedAt,
    ({ createdAt }) => createdAt
  )
  return made === undefined ? DECIDED : below(`/board/${encodeURIComponent(made.id)}`)
}

/** For each thing proposed, what became of it; null where the board knows of no proposal. */
export const proposedCards = (
  proposing: Proposing,
  proposals: ReadonlyArray<Proposal>,
  cards: ReadonlyArray<Task>
): ReadonlyArray<ProposedCard | null> =>
  proposing.tasks.map((task) => {
    const proposal = proposalOf(proposals, proposing, task)
    if (proposal === undefined) return null
    return { status: proposal.status, reason: proposal.reason, href: hrefOf(proposal, cards) }
  })

/** Reports what became of it now and whenever that changes, until the returned function is called. */
export const followProposed = (
  source: BoardSource,
  proposing: Proposing,
  listener: (cards: ReadonlyArray<ProposedCard | null>) => void
): (() => void) => {
  const { state } = boardOf(source).store
  const look = () => {
    const { columns, proposals } = state.get()
    listener(proposedCards(proposing, proposals, Object.values(columns).flat()))
  }
  look()
  return state.subscribe(look)
}

/** One field that a proposal would set. */
export interface ProposedField {
  readonly field: TaskField
  readonly before: unknown
  readonly after: unknown
}

/** A value as it's read before it's approved: nothing in its texts is hidden. */
const shown = (value: unknown): unknown =>
  typeof value === "string" ? markUnseen(value, "prose") : Array.isArray(value) ? value.map(shown) : value

/**
 * What would change if a proposal were approved: compared with the current card, or with nothing for a new one.
 * Unchanged fields are left out.
 */
export const proposedFields = (proposal: Proposal, task: Task | null): ReadonlyArray<ProposedField> =>
  PROPOSED_FIELDS.flatMap((field) => {
    const after = proposal.payload[field]
    if (after === undefined) return []
    const before = task === null ? null : task[field]
    return sameValue(before, after) ? [] : [{ field, before: shown(before), after: shown(after) }]
  })

/** The proposal that an item of the inbox is about. */
export const proposalOfItem = (
  { createdAt, taskId }: { readonly createdAt: number; readonly taskId: string | null },
  proposals: ReadonlyArray<Proposal>
): Proposal | undefined =>
  proposals.find(({ payload, proposedAt, type }) => {
    const id = type === "create" ? null : (payload.id ?? null)
    return proposedAt === createdAt && id === taskId
  })
