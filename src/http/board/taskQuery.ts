import { Schema, SchemaGetter } from "effect"
import { list, oneOf, text, wholeNumber } from "../../services/board/fields.ts"
import { TASK_PRIORITIES, TASK_STATUSES } from "../../services/board/task.ts"
import type { TaskQuery } from "../../services/board/taskInputs.ts"

const MAX_PAGE = 200
const DEFAULT_PAGE = 50
const MAX_VALUES = 100
const MAX_FILTER = 500

/** Words given by repeating the parameter, by commas, or both; empty parts are left out. */
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

const listed = <const Known extends ReadonlyArray<string>>(known: Known) =>
  words.pipe(Schema.decodeTo(list(oneOf(known), 0, MAX_VALUES)))

/** A whole number in digits; anything else is out of range. */
const digits = (min: number, max?: number) =>
  Schema.String.pipe(
    Schema.decodeTo(wholeNumber(min, max), {
      decode: SchemaGetter.transform((value: string) => (/^\d{1,16}$/.test(value) ? Number(value) : -1)),
      encode: SchemaGetter.transform((value: number) => String(value))
    })
  )

/** Query of `GET /api/kanban/tasks` (SPEC "Kanban"). */
export const TaskListQuery = Schema.Struct({
  status: Schema.optionalKey(listed(TASK_STATUSES)),
  priority: Schema.optionalKey(listed(TASK_PRIORITIES)),
  assignee: Schema.optionalKey(text(MAX_FILTER)),
  label: Schema.optionalKey(text(MAX_FILTER)),
  q: Schema.optionalKey(text(MAX_FILTER)),
  limit: Schema.optionalKey(digits(1, MAX_PAGE)),
  offset: Schema.optionalKey(digits(0))
})

/** The page that is asked for; an empty filter is no filter. */
export const taskQuery = (query: typeof TaskListQuery.Type): TaskQuery => ({
  statuses: query.status ?? [],
  priorities: query.priority ?? [],
  ...(query.assignee ? { assignee: query.assignee } : {}),
  ...(query.label ? { label: query.label } : {}),
  ...(query.q ? { q: query.q } : {}),
  limit: query.limit ?? DEFAULT_PAGE,
  offset: query.offset ?? 0
})
