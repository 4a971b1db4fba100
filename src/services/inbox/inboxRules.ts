import { Result, Schema } from "effect"
import type { Failure } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"
import { failureFields } from "../../contract/schema/failure.ts"
import {
  type InboxAction,
  type InboxDecision,
  InboxItem,
  type InboxKind,
  type InboxQuestion,
  type InboxResolution
} from "../../contract/schema/inbox.ts"
import { isBeforeStart } from "../gateway/client/gatewayStart.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"

/** No item has this id. */
export class ItemNotFound extends Schema.TaggedError<ItemNotFound>()("ItemNotFound", { id: Schema.String }) {}

/** The item has ended before; `item` contains how. */
export class ItemResolved extends Schema.TaggedError<ItemResolved>()("ItemResolved", { item: InboxItem }) {}

/** A decision that the item doesn't offer, or that is incomplete; `message` is `<field>: <message>`. */
export class InvalidDecision extends Schema.TaggedError<InvalidDecision>()("InvalidDecision", failureFields) {}

/** The agent has the maximum number of unanswered questions. */
export class TooManyQuestions extends Schema.TaggedError<TooManyQuestions>()("TooManyQuestions", {}) {}

/** The actions for each kind of item, in the order in which they're offered. */
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
  ],
  budget: [
    { id: "again", label: "Once more" },
    { id: "raise", label: "Raise", needs: "text" },
    { id: "finish", label: "Finish up" },
    { id: "keep", label: "Keep paused" },
    { id: "dismiss", label: "Dismiss" }
  ],
  blocked: [
    { id: "start-anyway", label: "Start anyway" },
    { id: "unlink", label: "Unlink" },
    { id: "dismiss", label: "Dismiss" },
    { id: "resume", label: "Resume" }
  ]
}

/** The gateway's action if nobody decides in time. */
const WITHOUT_ANSWER: Readonly<Partial<Record<InboxKind, string>>> = { approval: "deny", question: "skip" }

/** It's unknown what was decided. */
export const UNKNOWN_ACTION = "unknown"

/** The gateway has restarted and no longer asks, so nobody decided. */
const RESTARTED_ACTION = "gateway-restarted"

/** The actions with these ids; all of the kind's without ids. */
export const actionsOf = (kind: InboxKind, ids?: ReadonlyArray<string>): ReadonlyArray<InboxAction> =>
  ids === undefined ? ACTIONS[kind] : ACTIONS[kind].filter(({ id }) => ids.includes(id))

/** The item with its end; `undefined` if it has ended before, because the first end counts. */
export const ended = (item: InboxItem, resolution: InboxResolution): InboxItem | undefined =>
  item.state === "open"
    ? { ...item, state: resolution.by === "timeout" ? "expired" : "resolved", actions: [], resolution }
    : undefined

/** How an item ends by the clock: it may have been decided while the console was disconnected. */
export const outOfTime = (at: number): InboxResolution => ({ action: UNKNOWN_ACTION, at, by: "timeout" })

/** The action's id for each outcome of the gateway. */
const OUTCOMES: Readonly<Record<string, string>> = {
  answered: "answer",
  cancelled: "skip",
  approved: "approve",
  rejected: "reject"
}

/** How an item ended that was decided elsewhere, or not in time; `outcome` is the gateway's term. */
export const endedElsewhere = (item: InboxItem, outcome: string | undefined, at: number): InboxResolution => {
  const late = item.expiresAt !== undefined && item.expiresAt <= at
  if (outcome === "expired") return { ...outOfTime(at), action: WITHOUT_ANSWER[item.kind] ?? UNKNOWN_ACTION }
  const action = outcome === undefined ? undefined : (OUTCOMES[outcome] ?? outcome)
  const known = ACTIONS[item.kind].find(({ id }) => id === action)?.id
  return { action: known ?? UNKNOWN_ACTION, at, by: late ? "timeout" : "elsewhere" }
}

/** How an item ended that the gateway no longer lists; it may have been created before its last start. */
export const noLongerAsked = (item: InboxItem, gatewayStartedAt: number, at: number): InboxResolution => {
  const end = endedElsewhere(item, undefined, at)
  return end.by === "elsewhere" && isBefore(item, gatewayStartedAt) ? { ...end, action: RESTARTED_ACTION } : end
}

/** Whether an item is from before the gateway's last start. */
export const isBefore = ({ createdAt }: Pick<InboxItem, "createdAt">, gatewayStartedAt: number): boolean =>
  isBeforeStart(createdAt, gatewayStartedAt)

/** A decision that fits its item. */
export interface CheckedDecision {
  readonly action: string
  readonly text: string | undefined
  /** The values for each part of a question, in the gateway's form. */
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

const MAX_TITLE = 200

/** Removed from the ends of a text; other spaces can be part of a command. */
const ENDS = /^[ \t\r\n]+|[ \t\r\n]+$/g

/** A text without the usual white space at its ends. */
export const trimmed = (text: string): string => text.replace(ENDS, "")

/** The first line of a text, shortened if it's long. */
export const headline = (text: string, length = MAX_TITLE): string => {
  const whole = trimmed(text)
  const [line = ""] = whole.split("\n", 1)
  return line.length > length || line !== whole ? `${line.slice(0, length - 1).trimEnd()}…` : line
}

/** The values given for each part of a question, by its id. */
type GivenAnswers = Readonly<Record<string, ReadonlyArray<string>>>

const MAX_TEXT = 500

/** Answers in one line: a single part's values, otherwise each with its header. Never contains a secret. */
export const answerText = (
  { questions = [] }: Pick<InboxItem, "questions">,
  answers: GivenAnswers | undefined
): string | undefined => {
  const lines = questions.flatMap(({ id, header, text, secret }) => {
    const values = answers !== undefined && Object.hasOwn(answers, id) ? (answers[id] ?? []) : []
    if (values.length === 0) return []
    const shortText = secret === true ? "a secret" : values.join(", ")
    return [questions.length === 1 ? shortText : `${header ?? text}: ${shortText}`]
  })
  const line = lines.join(" · ")
  if (line === "") return undefined
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1).trimEnd()}…` : line
}

/** The end of a question with its answer. */
export const withAnswer = (
  item: InboxItem,
  resolution: InboxResolution,
  answers: GivenAnswers | undefined
): InboxResolution => ({
  ...resolution,
  ...optionalEntry("answer", resolution.action === "answer" ? answerText(item, answers) : undefined)
})
