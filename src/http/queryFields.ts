import { Schema, SchemaGetter } from "effect"
import { MAX_TASKS_PER_PAGE, TASK_PRIORITIES, TASK_STATUSES } from "../contract/board.ts"
import { list, oneOf, text, wholeNumber } from "../contract/schema/fields.ts"
import type { TaskQuery } from "../contract/schema/taskInputs.ts"

const MAX_VALUES = 100

/** Values from a repeated parameter, comma-separated, or both; empty ones are ignored. */
const words = Schema.Array(Schema.String).pipe(
  Schema.decodeTo(Schema.Array(Schema.String), {
    decode: SchemaGetter.transform((values: ReadonlyArray<string>) =>
      values
        .flatMap((value) => value.split(","))
        .map((value) => value.trim())
        .filter((value) => value.length > 0)
    ),
    encode: SchemaGetter.transform((values: ReadonlyArray<string>) => [...values])
  })
)

/** Some of a fixed set of words. */
export const listed = <const Known extends ReadonlyArray<string>>(known: Known) =>
  words.pipe(Schema.decodeTo(list(oneOf(known), 0, MAX_VALUES)))

/** A whole number in digits; anything else is out of range. */
export const digits = (min: number, max?: number) =>
  Schema.String.pipe(
    Schema.decodeTo(wholeNumber(min, max), {
      decode: SchemaGetter.transform((value: string) => (/^\d{1,16}$/.test(value) ? Number(value) : -1)),
      encode: SchemaGetter.transform((value: number) => String(value))
    })
  )

const DEFAULT_PAGE = 50
const MAX_FILTER = 500
const MAX_ID = 100

/** Query of `GET /api/kanban/tasks`; `ids` are separated by commas. */
export const TaskListQuery = Schema.Struct({
  ids: Schema.optionalKey(text(MAX_TASKS_PER_PAGE * MAX_ID)),
  status: Schema.optionalKey(listed(TASK_STATUSES)),
  priority: Schema.optionalKey(listed(TASK_PRIORITIES)),
  assignee: Schema.optionalKey(text(MAX_FILTER)),
  label: Schema.optionalKey(text(MAX_FILTER)),
  q: Schema.optionalKey(text(MAX_FILTER)),
  ready: Schema.optionalKey(oneOf(["true"])),
  blocked: Schema.optionalKey(oneOf(["true"])),
  parentId: Schema.optionalKey(text(MAX_FILTER)),
  after: Schema.optionalKey(text(MAX_FILTER)),
  limit: Schema.optionalKey(digits(1, MAX_TASKS_PER_PAGE)),
  offset: Schema.optionalKey(digits(0))
})

/** The requested page; an empty filter means no filter. */
export const taskQuery = (query: typeof TaskListQuery.Type): TaskQuery => ({
  ...(query.ids ? { ids: query.ids.split(",").slice(0, MAX_TASKS_PER_PAGE) } : {}),
  statuses: query.status ?? [],
  priorities: query.priority ?? [],
  ...(query.assignee ? { assignee: query.assignee } : {}),
  ...(query.label ? { label: query.label } : {}),
  ...(query.q ? { q: query.q } : {}),
  ...(query.ready === undefined ? {} : { ready: true }),
  ...(query.blocked === undefined ? {} : { blocked: true }),
  ...(query.parentId ? { parentId: query.parentId } : {}),
  ...(query.after ? { after: query.after } : {}),
  limit: query.limit ?? DEFAULT_PAGE,
  offset: query.offset ?? 0
})
