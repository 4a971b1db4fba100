import { Effect, Schema } from "effect"
import {
  MAX_AFTER,
  MAX_RETRIES,
  MAX_RETRY_WAIT_MIN,
  TASK_PRIORITIES,
  TASK_STATUSES,
  THINKING_LEVELS
} from "../board.ts"
import { failure } from "../failures.ts"
import { Why } from "./failure.ts"
import {
  body,
  epochMillis,
  filledText,
  flag,
  list,
  maybe,
  number,
  oneOf,
  required,
  text,
  wholeNumber
} from "./fields.ts"

export const TaskStatus = oneOf(TASK_STATUSES)
export type TaskStatus = typeof TaskStatus.Type
export const TaskPriority = oneOf(TASK_PRIORITIES)
export const ThinkingLevel = oneOf(THINKING_LEVELS)

const ACTOR_PATTERN = /^(operator|agent:\S.*)$/su
const ACTOR_MAX = 200

/** Whether a name is a valid task owner. */
export const isActor = (value: string): boolean => value.length <= ACTOR_MAX && ACTOR_PATTERN.test(value)

/** `operator` or `agent:<label>`. */
export const Actor = Schema.String.annotate(failure("MUST_BE_TEXT")).check(
  Schema.makeFilter(isActor, { message: 'must be "operator" or "agent:<label>"' })
)

/** Limits of the fields, shared by bodies, proposals and stored tasks. */
export const Title = filledText(500)
export const Description = text(10_000)
export const Labels = list(text(100), 0, 50)
export const ResultText = text(50_000)
export const ModelId = filledText(200)
export const SessionKey = text(500)
export const TaskGateway = filledText(64)
export const Note = text(5000)
export const Version = wholeNumber(1)
export const Minutes = number(0)

/** What has paused a run, and when. */
export const RunPause = Schema.Union([
  Schema.Struct({ budgetId: Schema.String, at: epochMillis }),
  Schema.Struct({ stop: Schema.Literal(true), at: epochMillis })
])
export type RunPause = typeof RunPause.Type

/** The active or last run of a task. Times are epoch milliseconds. */
export const RunLink = Schema.Struct({
  sessionKey: Schema.String,
  sessionId: Schema.optionalKey(Schema.String),
  runId: Schema.optionalKey(Schema.String),
  startedAt: epochMillis,
  endedAt: Schema.optionalKey(epochMillis),
  status: Schema.Literals(["running", "done", "error", "aborted"]),
  error: Schema.optionalKey(Schema.String),
  why: Schema.optionalKey(Why),
  /** A note about a run that continued despite a problem, such as another model. */
  note: Schema.optionalKey(Schema.String),
  /** The codes of the note's lines. */
  noteWhy: Schema.optionalKey(Schema.Array(Why)),
  /** On a board that several consoles share: the one that carries the run out, and its gateway's address. */
  console: Schema.optionalKey(Schema.String),
  gateway: Schema.optionalKey(Schema.String),
  /** The added gateway it runs on; absent for the primary one. */
  gatewayId: Schema.optionalKey(Schema.String),
  /** Its session is stopped until a budget, or the stop of everything, lets it go on. */
  paused: Schema.optionalKey(RunPause),
  /** Of a run that nobody asked for: how many such runs failed in a row until now, and whether it was the last one. */
  automatic: Schema.optionalKey(Schema.Struct({ failures: Schema.Int, gaveUp: Schema.Boolean }))
})
export type RunLink = typeof RunLink.Type

export const FeedbackEntry = Schema.Struct({ at: epochMillis, by: Schema.String, note: Schema.String })
export type FeedbackEntry = typeof FeedbackEntry.Type

/** What a person, or an agent that uses the board as a tool, did to a card; the columns it left and came to. */
export const HistoryEntry = Schema.Struct({
  at: epochMillis,
  /** A person's name, or `agent:<label>`. */
  by: Schema.String,
  what: Schema.Literals(["moved", "started", "stopped", "approved", "sent-back"]),
  from: TaskStatus,
  to: TaskStatus
})
export type HistoryEntry = typeof HistoryEntry.Type

/** Most items of a checklist. */
const MAX_ITEMS = 100

const ItemId = filledText(100)
const ItemText = filledText(500)

/** One step of a task. */
export const ChecklistItem = Schema.Struct({ id: ItemId, text: ItemText, done: Schema.Boolean })
export type ChecklistItem = typeof ChecklistItem.Type

const idsDiffer = (items: ReadonlyArray<{ readonly id?: string }>): boolean => {
  const ids = items.flatMap(({ id }) => id ?? [])
  return new Set(ids).size === ids.length
}

/** A checklist as callers send it: `id` is made up where it's missing, and `done` is false. */
export const ChecklistInput = list(
  body({ id: maybe(ItemId), text: required(ItemText), done: maybe(flag) }),
  0,
  MAX_ITEMS
).check(Schema.makeFilter(idsDiffer, failure("IDS_MUST_DIFFER")))
export type ChecklistInput = typeof ChecklistInput.Type

export const TaskId = filledText(200)

/** Ids of the cards that a card waits for. */
export const After = list(TaskId, 0, MAX_AFTER)

/** How often a failed automatic run is tried again, and after how many minutes. */
export const Retry = body({
  max: required(wholeNumber(0, MAX_RETRIES)),
  waitMin: required(wholeNumber(1, MAX_RETRY_WAIT_MIN))
})
export type Retry = typeof Retry.Type

/** What can keep a card from starting. */
const WAIT_KINDS = ["card", "time", "person", "capacity", "wip", "budget", "stop", "limit", "gateway"] as const

/** One reason why a card can't start now. */
export const WaitReason = Schema.Struct({
  kind: Schema.Literals(WAIT_KINDS),
  /** The card, or the budget. */
  id: Schema.optionalKey(Schema.String),
  /** When it ends by itself, where that's known. */
  until: Schema.optionalKey(epochMillis),
  /** For people, in English; `why` has it in any language. */
  details: Schema.String,
  why: Schema.optionalKey(Why)
}).annotate({ identifier: "WaitReason" })
export type WaitReason = typeof WaitReason.Type

/** How many children a card has, and how many of them are done. */
export const ChildCount = Schema.Struct({ total: wholeNumber(1), done: wholeNumber(0) })
export type ChildCount = typeof ChildCount.Type

/** One card on the board, as stored and sent. */
export const Task = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  description: Schema.optionalKey(Schema.String),
  status: TaskStatus,
  priority: TaskPriority,
  createdBy: Schema.String,
  createdAt: epochMillis,
  updatedAt: epochMillis,
  version: Version,
  sourceSessionKey: Schema.optionalKey(Schema.String),
  assignee: Schema.optionalKey(Schema.String),
  /** The added gateway whose agent works on it; absent for the primary one. */
  gatewayId: Schema.optionalKey(Schema.String),
  labels: Schema.Array(Schema.String),
  columnOrder: wholeNumber(0),
  run: Schema.optionalKey(RunLink),
  result: Schema.optionalKey(Schema.String),
  resultAt: Schema.optionalKey(epochMillis),
  model: Schema.optionalKey(Schema.String),
  thinking: Schema.optionalKey(ThinkingLevel),
  dueAt: Schema.optionalKey(epochMillis),
  estimateMin: Schema.optionalKey(Minutes),
  actualMin: Schema.optionalKey(Minutes),
  feedback: Schema.Array(FeedbackEntry),
  /** Oldest first; only what was done on consoles that know their person's name. */
  history: Schema.optionalKey(Schema.Array(HistoryEntry)),
  /** Absent when it has no items. */
  checklist: Schema.optionalKey(Schema.Array(ChecklistItem)),
  /** Absent without comments. */
  commentCount: Schema.optionalKey(wholeNumber(1)),
  /** Cards that have to be done before it starts; a deleted one stays named. */
  after: Schema.Array(Schema.String).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed([]))),
  /** The card it's a part of. */
  parentId: Schema.optionalKey(Schema.String),
  /** It doesn't start before this time. */
  startAt: Schema.optionalKey(epochMillis),
  /** Whether it starts by itself once nothing holds it. */
  autoStart: Schema.Boolean.pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(false))),
  retry: Schema.optionalKey(Retry),
  /** How often it has started by itself; absent when it never did. */
  attempts: Schema.optionalKey(wholeNumber(1)),
  /** Of answers, not stored: absent without children. */
  children: Schema.optionalKey(ChildCount),
  /** Of answers, not stored: why it can't start now; absent when it can, or is past that. */
  waitsFor: Schema.optionalKey(Schema.Array(WaitReason))
}).annotate({ identifier: "Task" })
export type Task = typeof Task.Type

/** Answer of `GET /api/kanban/tasks`. */
export const TaskPage = Schema.Struct({
  items: Schema.Array(Task),
  total: Schema.Int,
  limit: Schema.Int,
  offset: Schema.Int,
  hasMore: Schema.Boolean
}).annotate({ identifier: "TaskPage" })
export type TaskPage = typeof TaskPage.Type

/** The body beside the 409 of a change that was made for an older version. */
export const VersionConflictBody = Schema.Struct({
  error: Schema.Literal("version_conflict"),
  serverVersion: Schema.Int,
  latest: Task
}).annotate({ identifier: "VersionConflict" })
export type VersionConflictBody = typeof VersionConflictBody.Type
