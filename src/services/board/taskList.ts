import { Schema } from "effect"
import type { SqlConnection, SqlValue } from "../sqlite/Sqlite.ts"
import { TASK_STATUSES, type Task } from "./task.ts"
import type { TaskQuery } from "./taskInputs.ts"
import { placeOf, placesBetween } from "./taskPlaces.ts"
import { type StoredTask, selectPage, statusNumber, storedTask } from "./taskRows.ts"
import { taskAt } from "./taskStore.ts"

/** One page of tasks in board order. */
export interface TaskList {
  readonly items: ReadonlyArray<Task>
  readonly total: number
}

const decodeCount = Schema.decodeUnknownSync(Schema.Struct({ count: Schema.Int }))
const decodeFound = Schema.decodeUnknownSync(Schema.Struct({ count: Schema.Int, found: Schema.String }))

interface Filter {
  readonly where: string
  readonly values: ReadonlyArray<SqlValue>
  /** Whether the page shows every task of its columns, one after the other. */
  readonly wholeColumns: boolean
  /** Whether finding the tasks means reading all their texts. */
  readonly readsTexts: boolean
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

const marks = (values: ReadonlyArray<unknown>): string => values.map(() => "?").join(", ")

const filterOf = (query: TaskQuery): Filter => {
  const conditions: Array<string> = []
  const values: Array<SqlValue> = []
  const add = (condition: string, ...given: ReadonlyArray<SqlValue>) => {
    conditions.push(condition)
    values.push(...given)
  }
  const statuses = [...new Set(query.statuses)].map(statusNumber)
  if (statuses.length > 0 && statuses.length < TASK_STATUSES.length)
    add(`t.status IN (${marks(statuses)})`, ...statuses)
  const columns = conditions.length
  const priorities = [...new Set(query.priorities)]
  if (priorities.length > 0) add(`t.priority IN (${marks(priorities)})`, ...priorities)
  if (query.assignee !== undefined) add("t.assignee = ?", query.assignee)
  if (query.label !== undefined) {
    add("t.seq IN (SELECT l.task FROM task_labels l WHERE l.label = ?)", query.label)
  }
  const readsTexts = query.q !== undefined && query.q.length > 0
  if (query.q !== undefined && readsTexts) {
    const needle = query.q.toLowerCase()
    const description = "(SELECT d.description FROM task_texts d WHERE d.task = t.seq)"
    // The database's own lower() knows ASCII alone; where that is enough it spares most rows the exact test.
    if (isAscii(needle)) {
      const contains = (column: string) => `instr(lower(${column}), ?)`
      const quoted = JSON.stringify(needle).slice(1, -1)
      add(
        `(${contains("t.title")} OR ${contains("t.labels")} OR coalesce(${contains(description)}, 0))`,
        needle,
        quoted,
        needle
      )
    }
    add(`task_matches(?, t.title, ${description}, t.labels)`, needle)
  }
  return {
    where: conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`,
    values,
    wholeColumns: conditions.length === columns,
    readsTexts
  }
}

/** Adds the places; neighbours on the page are counted from one another, so the cost is one pass over the index. */
const withPlaces = (db: SqlConnection, page: ReadonlyArray<StoredTask>, wholeColumns: boolean): ReadonlyArray<Task> => {
  let previous: StoredTask | undefined
  let place = 0
  return page.map((stored) => {
    const status = statusNumber(stored.content.status)
    if (previous === undefined || previous.content.status !== stored.content.status) {
      place = placeOf(db, status, stored.rank)
    } else {
      place += wholeColumns ? 1 : placesBetween(db, status, previous.rank, stored.rank)
    }
    previous = stored
    return taskAt(stored.content, place)
  })
}

/** Counts and cuts the page by two queries: an index answers the first, and the second stops at the page's end. */
const pageByIndex = (db: SqlConnection, { where, values }: Filter, { limit, offset }: TaskQuery) => {
  const { count } = decodeCount(db.get(`SELECT count(*) AS count FROM tasks t ${where}`, ...values))
  return { count, rows: db.rows(selectPage(where), ...values, limit, offset) }
}

/** Reads the texts once, for the count and the page together. */
const pageByTexts = (db: SqlConnection, { where, values }: Filter, { limit, offset }: TaskQuery) => {
  const { count, found } = decodeFound(
    db.get(`SELECT count(*) AS count, json_group_array(t.seq) AS found FROM tasks t ${where}`, ...values)
  )
  return { count, rows: db.rows(selectPage("WHERE t.seq IN (SELECT value FROM json_each(?))"), found, limit, offset) }
}

/** Filters, sorts by status, then place, and cuts one page, all in the database (SPEC "Kanban"). */
export const listTasks = (db: SqlConnection, query: TaskQuery): TaskList => {
  const filter = filterOf(query)
  const { count, rows } = filter.readsTexts ? pageByTexts(db, filter, query) : pageByIndex(db, filter, query)
  return { items: withPlaces(db, rows.map(storedTask), filter.wholeColumns), total: count }
}

const decodeLabels = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.String)))

/** The SQL function behind `q`: a substring of title, description or one label, in any case of any script. */
export const taskMatches = (q: unknown, title: unknown, description: unknown, labels: unknown): number => {
  const needle = String(q)
  const found =
    String(title).toLowerCase().includes(needle) ||
    (description !== null && String(description).toLowerCase().includes(needle)) ||
    (labels !== "[]" && decodeLabels(labels).some((label) => label.toLowerCase().includes(needle)))
  return found ? 1 : 0
}
