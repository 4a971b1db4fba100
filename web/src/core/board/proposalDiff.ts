import { markUnseen } from "../../../../src/contract/unseenCharacters.ts"
import { say } from "../language/say.ts"
import { PROPOSED_FIELDS } from "./boardText.ts"
import type { Proposal, Task, TaskField } from "./boardTypes.ts"
import { sameValue } from "./mergeTask.ts"

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

/** A proposal's name: the card's title, or the one it would get. */
export const proposalTitle = (proposal: Proposal, task: Task | null): string => {
  if (proposal.type === "update")
    return task === null ? say("A card that no longer exists") : markUnseen(task.title, "prose")
  const { title } = proposal.payload
  return typeof title === "string" && title.trim() !== "" ? markUnseen(title, "prose") : say("(no title)")
}

/** Proposals waiting for a decision, oldest first. */
export const waitingProposals = (proposals: ReadonlyArray<Proposal>): ReadonlyArray<Proposal> =>
  proposals.filter(({ status }) => status === "pending").sort((a, b) => a.proposedAt - b.proposedAt)
