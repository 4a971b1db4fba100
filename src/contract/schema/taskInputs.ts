import { Schema, SchemaGetter } from "effect"
import { dayMoment, dueDayInUtc } from "../dueDay.ts"
import { failure } from "../failures.ts"
import { body, clearable, epochMillis, filledText, flag, forbidden, maybe, required, wholeNumber } from "./fields.ts"
import {
  Actor,
  After,
  ChecklistInput,
  Description,
  Labels,
  Minutes,
  ModelId,
  Note,
  ResultText,
  Retry,
  SessionKey,
  TaskGateway,
  TaskId,
  TaskPriority,
  TaskStatus,
  ThinkingLevel,
  Title,
  Version
} from "./task.ts"

/** When a card is due: epoch milliseconds, or a day such as `2026-12-03`, which is how agents think of it. */
export const DueAt = Schema.Union([
  epochMillis,
  Schema.String.check(
    Schema.makeFilter((day: string) => dayMoment(day) !== undefined, { message: "must be a day such as 2026-12-03" })
  ).pipe(
    Schema.decodeTo(epochMillis, {
      decode: SchemaGetter.transform((day: string) => dayMoment(day) ?? 0),
      encode: SchemaGetter.transform(dueDayInUtc)
    })
  )
]).annotate({ message: "must be a day such as 2026-12-03, or a number" })

/** When a card starts: its links, and whether a person is needed for it. */
const flowFields = {
  after: maybe(After),
  parentId: maybe(TaskId),
  startAt: maybe(epochMillis),
  autoStart: maybe(flag),
  retry: maybe(Retry)
}

/** The same where `null` clears. */
const flowChanges = {
  after: clearable(After, { message: "must be a list or null" }),
  parentId: clearable(TaskId, failure("MUST_BE_TEXT_OR_NULL")),
  startAt: clearable(epochMillis, failure("MUST_BE_A_NUMBER_OR_NULL")),
  autoStart: clearable(flag, { message: "must be true, false or null" }),
  retry: clearable(Retry, { message: "must be an object or null" })
}

const createFields = {
  title: required(Title),
  description: maybe(Description),
  status: maybe(TaskStatus),
  priority: maybe(TaskPriority),
  assignee: maybe(Actor),
  labels: maybe(Labels),
  model: maybe(ModelId),
  thinking: maybe(ThinkingLevel),
  dueAt: maybe(epochMillis),
  estimateMin: maybe(Minutes),
  checklist: maybe(ChecklistInput),
  ...flowFields
}

/** Body of `POST /api/kanban/tasks`. */
export const CreateTask = body({
  ...createFields,
  createdBy: maybe(Actor),
  sourceSessionKey: maybe(SessionKey),
  gatewayId: maybe(TaskGateway)
})
export type CreateTask = typeof CreateTask.Type

/** Payload of a create proposal, as it's kept. */
export const CreatePayload = body(createFields)
export type CreatePayload = typeof CreatePayload.Type

/** The same as it's asked for, by the route, a tool or a marker. */
export const CreateAsk = body({ ...createFields, dueAt: maybe(DueAt) })

/** Fields a PATCH may change; `null` clears, and fields managed by the board are rejected. */
export const PatchTask = body({
  version: required(Version),
  title: maybe(Title),
  description: clearable(Description, failure("MUST_BE_TEXT_OR_NULL")),
  status: maybe(TaskStatus),
  priority: maybe(TaskPriority),
  assignee: clearable(Actor, failure("MUST_BE_TEXT_OR_NULL")),
  gatewayId: clearable(TaskGateway, failure("MUST_BE_TEXT_OR_NULL")),
  labels: maybe(Labels),
  model: clearable(ModelId, failure("MUST_BE_TEXT_OR_NULL")),
  thinking: clearable(ThinkingLevel, { message: "must be one of: off, low, medium, high, or null" }),
  dueAt: clearable(epochMillis, failure("MUST_BE_A_NUMBER_OR_NULL")),
  estimateMin: clearable(Minutes, failure("MUST_BE_A_NUMBER_OR_NULL")),
  actualMin: clearable(Minutes, failure("MUST_BE_A_NUMBER_OR_NULL")),
  result: clearable(ResultText, failure("MUST_BE_TEXT_OR_NULL")),
  checklist: clearable(ChecklistInput, { message: "must be a list or null" }),
  ...flowChanges,
  id: forbidden,
  run: forbidden,
  feedback: forbidden,
  history: forbidden,
  commentCount: forbidden,
  createdBy: forbidden,
  createdAt: forbidden,
  updatedAt: forbidden,
  resultAt: forbidden,
  columnOrder: forbidden,
  sourceSessionKey: forbidden,
  attempts: forbidden,
  children: forbidden,
  waitsFor: forbidden
})
export type PatchTask = typeof PatchTask.Type

/** What a patch changes, without the version it's based on. */
export type TaskChanges = Partial<Omit<PatchTask, "version">>

/** Payload of an update proposal, from the route or from a marker. */
export const UpdatePayload = body({
  id: required(filledText(200)),
  title: maybe(Title),
  description: maybe(Description),
  status: maybe(TaskStatus),
  priority: maybe(TaskPriority),
  assignee: maybe(Actor),
  labels: maybe(Labels),
  result: maybe(ResultText),
  checklist: maybe(ChecklistInput),
  ...flowChanges
})
export type UpdatePayload = typeof UpdatePayload.Type

export const ReorderTask = body({
  version: required(Version),
  targetStatus: required(TaskStatus),
  targetIndex: required(wholeNumber(0))
})
export type ReorderTask = typeof ReorderTask.Type

/** `force` starts a card that waits for other cards or for its time. */
export const ExecuteTask = body({ model: maybe(ModelId), thinking: maybe(filledText(50)), force: maybe(flag) })
export type ExecuteTask = typeof ExecuteTask.Type

export const CompleteTask = body({ result: maybe(ResultText), error: maybe(Note) })
export type CompleteTask = typeof CompleteTask.Type

/** Body of approve and abort. */
export const OptionalNote = body({ note: maybe(Note) })
export type OptionalNote = typeof OptionalNote.Type

/** Body of reject; the agent reads the note next time. */
export const RequiredNote = body({ note: required(filledText(5000)) })
export type RequiredNote = typeof RequiredNote.Type

/** Filters and page of `GET /api/kanban/tasks`; empty lists mean all. */
export interface TaskQuery {
  /** Only these tasks; those that don't exist are left out. */
  readonly ids?: ReadonlyArray<string>
  readonly statuses: ReadonlyArray<TaskStatus>
  readonly priorities: ReadonlyArray<typeof TaskPriority.Type>
  readonly assignee?: string
  readonly label?: string
  /** Substring over title, description and labels, in any case. */
  readonly q?: string
  /** Cards in `backlog` or `todo` that could start now. */
  readonly ready?: boolean
  /** Cards in `backlog` or `todo` that couldn't. */
  readonly blocked?: boolean
  readonly parentId?: string
  /** Cards in `backlog` or `todo` that wait for this one. */
  readonly after?: string
  /** 1 to 200. */
  readonly limit: number
  readonly offset: number
}
