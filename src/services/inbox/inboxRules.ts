import { Result } from "effect"
import type { Failure } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"
import type {
  InboxAction,
  InboxDecision,
  InboxItem,
  InboxKind,
  InboxQuestion,
  InboxResolution
} from "../../contract/schema/inbox.ts"
import { isBeforeStart } from "../gateway/client/gatewayStart.ts"
import { InvalidDecision } from "./inboxErrors.ts"

/** Everything a person can do with items of each kind, in the order in which it is offered. */
const ACTIONS: Readonly<Record<InboxKind, ReadonlyArray<InboxAction>>> = {
  approval: [
    { id: "allow-once", label: "Allow once" },
    { id: "allow-always", label: "Always allow" },
    { id: "deny", label: "Deny" }
  ],
  question: [
    { id: "answer", label: "Answer", needs: "answers" },
    { id: "skip", label: "Skip" }
  ],
  proposal: [
    { id: "approve", label: "Approve" },
    { id: "reject", label: "Reject" }
  ],
  review: [
    { id: "approve", label: "Approve" },
    { id: "send-back", label: "Send back", needs: "text" }
  ],
  failed: [
    { id: "retry", label: "Retry" },
    { id: "dismiss", label: "Dismiss" }
  ],
  pairing: [
    { id: "approve", label: "Approve" },
    { id: "reject", label: "Reject" }
  ]
}

/** What the gateway does when it says that nobody decided in time. */
const WITHOUT_ANSWER: Readonly<Partial<Record<InboxKind, string>>> = { approval: "deny", question: "skip" }

/** Nobody says what was decided. */
export const UNKNOWN_ACTION = "unknown"

/** Nobody decided it: the gateway has restarted since and no longer asks. */
const RESTARTED_ACTION = "gateway-restarted"

/** The actions with these ids; all of the kind's without ids. */
export const actionsOf = (kind: InboxKind, ids?: ReadonlyArray<string>): ReadonlyArray<InboxAction> =>
  ids === undefined ? ACTIONS[kind] : ACTIONS[kind].filter(({ id }) => ids.includes(id))

/** The end of an item; `undefined` when it has ended before: the first end counts. */
export const ended = (item: InboxItem, resolution: InboxResolution): InboxItem | undefined =>
  item.state === "open"
    ? { ...item, state: resolution.by === "timeout" ? "expired" : "resolved", actions: [], resolution }
    : undefined

/** How an item ends by the clock: somebody may have decided it while the console wasn't listening. */
export const outOfTime = (at: number): InboxResolution => ({ action: UNKNOWN_ACTION, at, by: "timeout" })

/** What the gateway calls the end of something, as an action's id. */
const OUTCOMES: Readonly<Record<string, string>> = {
  answered: "answer",
  cancelled: "skip",
  approved: "approve",
  rejected: "reject"
}

/** How an item ended that somebody else decided, or nobody in time; `outcome` is the gateway's word for it. */
export const endedElsewhere = (item: InboxItem, outcome: string | undefined, at: number): InboxResolution => {
  const late = item.expiresAt !== undefined && item.expiresAt <= at
  if (outcome === "expired") return { ...outOfTime(at), action: WITHOUT_ANSWER[item.kind] ?? UNKNOWN_ACTION }
  const action = outcome === undefined ? undefined : (OUTCOMES[outcome] ?? outcome)
  const known = ACTIONS[item.kind].find(({ id }) => id === action)?.id
  return { action: known ?? UNKNOWN_ACTION, at, by: late ? "timeout" : "elsewhere" }
}

/** How an item ended that the gateway doesn't list any more; it may have asked before it last started. */
export const noLongerAsked = (item: InboxItem, gatewayStartedAt: number, at: number): InboxResolution => {
  const end = endedElsewhere(item, undefined, at)
  return end.by === "elsewhere" && isBefore(item, gatewayStartedAt) ? { ...end, action: RESTARTED_ACTION } : end
}

/** Whether an item is of a gateway process that has ended. */
export const isBefore = ({ createdAt }: Pick<InboxItem, "createdAt">, gatewayStartedAt: number): boolean =>
  isBeforeStart(createdAt, gatewayStartedAt)

/** A decision that fits its item. */
export interface CheckedDecision {
  readonly action: string
  readonly text: string | undefined
  /** The values for each part of a question, as the gateway takes them. */
  readonly answers: Readonly<Record<string, ReadonlyArray<string>>>
}

const invalid = (why: Failure) => Result.fail(new InvalidDecision(why))

type Answer = NonNullable<InboxDecision["answers"]>[string]

const valuesFor = (
  part: InboxQuestion,
  answer: Answer | undefined
): Result.Result<ReadonlyArray<string>, InvalidDecision> => {
  const at = `answers.${part.id}`
  const chosen = new Set(answer?.options ?? [])
  const options = part.options ?? []
  for (const id of chosen)
    if (!options.some((option) => option.id === id)) return invalid(failure("NO_SUCH_OPTION", { field: at }))
  if (answer?.text !== undefined && !part.freeText) return invalid(failure("CHOOSE_AN_OPTION", { field: at }))
  const labels = options.filter(({ id }) => chosen.has(id)).map(({ label }) => label)
  const values = answer?.text === undefined ? labels : [...labels, answer.text]
  if (values.length === 0) return invalid(failure("REQUIRED", { field: at }))
  return values.length > 1 && !part.multiple
    ? invalid(failure("ONE_ANSWER_ONLY", { field: at }))
    : Result.succeed(values)
}

/** Checks a decision against what its item offers. */
export const checkedDecision = (
  item: InboxItem,
  { action, answers = {}, text }: InboxDecision
): Result.Result<CheckedDecision, InvalidDecision> => {
  const offered = item.actions.find(({ id }) => id === action)
  if (offered === undefined) {
    const ids = item.actions.map(({ id }) => id).join(", ")
    return invalid(failure("MUST_BE_ONE_OF", { field: "action", words: ids }))
  }
  if (offered.needs === "text" && text === undefined) return invalid(failure("REQUIRED", { field: "text" }))
  if (offered.needs !== "answers") return Result.succeed({ action, text, answers: {} })
  const parts = item.questions ?? []
  const stray = Object.keys(answers).find((id) => !parts.some((part) => part.id === id))
  if (stray !== undefined) return invalid(failure("NOT_A_QUESTION", { field: `answers.${stray}` }))
  const values: Record<string, ReadonlyArray<string>> = {}
  for (const part of parts) {
    const found = valuesFor(part, Object.hasOwn(answers, part.id) ? answers[part.id] : undefined)
    if (Result.isFailure(found)) return Result.fail(found.failure)
    values[part.id] = found.success
  }
  return Result.succeed({ action, text, answers: values })
}
