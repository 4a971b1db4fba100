import { Effect, Schema } from "effect"
import { TASK_STATUSES } from "../../../contract/board.ts"
import type { Task } from "../../../contract/schema/task.ts"
import type { TaskQuery } from "../../../contract/schema/taskInputs.ts"
import { isInteger, isText, orNull, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlValue, StoreError } from "../../platform/sqlite/Sqlite.ts"
import { flowOf, type StartContext, splitByStart } from "../flow/flowAnswers.ts"
import type { BoardDb } from "./BoardStore.ts"
import { startCards, WAITING } from "./linkStore.ts"
import { placeOf, placesBetween, tasksIn } from "./taskPlaces.ts"
import { selectHeads, selectPage, statusNumber, storedTask, taskHead } from "./taskRows.ts"
import { taskAt } from "./taskStore.ts"
import { closed, type TaskTexts } from "./taskTexts.ts"

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
  /** The columns, by their numbers. */
  readonly columns: ReadonlyArray<number>
  /** Whether the page shows every task of its columns, one after the other. */
  readonly wholeColumns: boolean
  /** Whether finding the tasks means reading all their texts. */
  readonly readsTexts: boolean
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

const marks = (values: ReadonlyArray<unknown>): string => values.map(() => "?").join(", ")

const DESCRIPTION = "(SELECT d.description FROM task_texts d WHERE d.task = t.seq)"

/** The numbers of a JSON list. */
const NUMBERS = {
  sqlite: "SELECT value FROM json_each(?)",
  postgres: "SELECT value::bigint FROM json_array_elements_text(?::text::json)"
} as const

const filterOf = (query: TaskQuery, dialect: BoardDb["dialect"], waiting: string | undefined): Filter => {
  const conditions: Array<string> = []
  const values: Array<SqlValue> = []
  const add = (condition: string, ...given: ReadonlyArray<SqlValue>) => {
    conditions.push(condition)
    values.push(...given)
  }
  const statuses = [...new Set(query.statuses.length === 0 ? TASK_STATUSES : query.statuses)].map(statusNumber)
  if (statuses.length < TASK_STATUSES.length) add(`t.status IN (${marks(statuses)})`, ...statuses)
  const columns = conditions.length
  const priorities = [...new Set(query.priorities)]
  if (priorities.length > 0) add(`t.priority IN (${marks(priorities)})`, ...priorities)
  if (query.ids !== undefined) add(`t.id IN (${marks(query.ids)})`, ...query.ids)
  if (query.assignee !== undefined) add("t.assignee = ?", query.assignee)
  if (query.label !== undefined) {
    add("t.seq IN (SELECT l.task FROM task_labels l WHERE l.label = ?)", query.label)
  }
  if (query.parentId !== undefined)
    add("t.seq IN (SELECT w.task FROM task_flow w WHERE w.parent_id = ?)", query.parentId)
  if (query.after !== undefined) {
    add(`t.status IN (${WAITING.join(", ")})`)
    add("t.seq IN (SELECT l.task FROM task_links l WHERE l.after_id = ?)", query.after)
  }
  if (waiting !== undefined) add(`t.seq IN (${NUMBERS[dialect]})`, waiting)
  const readsTexts = query.q !== undefined && query.q.length > 0
  if (query.q !== undefined && readsTexts) {
    const needle = query.q.toLowerCase()
    // The database's lower() only handles ASCII; where that's enough, most rows skip the exact test.
    if (isAscii(needle)) {
      const contains = (column: string) =>
        dialect === "sqlite" ? `instr(lower(${column}), ?)` : `position(? in lower(${column} COLLATE "C")) > 0`
      const never = dialect === "sqlite" ? "0" : "false"
      const quoted = JSON.stringify(needle).slice(1, -1)
      add(
        `(${contains("t.title")} OR ${contains("t.labels")} OR coalesce(${contains(DESCRIPTION)}, ${never}))`,
        needle,
        quoted,
        needle
      )
    }
    if (dialect === "sqlite") add(`task_matches(?, t.title, ${DESCRIPTION}, t.labels)`, needle)
  }
  return {
    where: conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`,
    values,
    columns: statuses,
    wholeColumns: conditions.length === columns,
    readsTexts
  }
}

interface Ranked {
  readonly status: number
  readonly rank: number
}

/** The places of a page's tasks; neighbours are counted from each other, so it costs one pass over the index. */
const placesOf = Effect.fnUntraced(function* (
  db: BoardDb,
  page: ReadonlyArray<Ranked>,
  { offset, wholeColumns }: Pick<Filter, "wholeColumns"> & Pick<TaskQuery, "offset">
) {
  const places: Array<number> = []
  let previous: Ranked | undefined
  let place = 0
  for (const task of page) {
    const { status, rank } = task
    // Of whole columns, only a page's first task may have others of its column before it.
    const isFirst = wholeColumns && (previous !== undefined || offset === 0)
    if (previous?.status !== status) place = isFirst ? 0 : yield* placeOf(db, status, rank)
    else place += wholeColumns ? 1 : yield* placesBetween(db, status, previous.rank, rank)
    previous = task
    places.push(place)
  }
  return places
})

/** Selects a page's rows where a condition holds. */
type Select = (dialect: BoardDb["dialect"], where: string) => string

interface Page {
  readonly count: number
  readonly rows: ReadonlyArray<unknown>
}
type Pages = (db: BoardDb, filter: Filter, query: TaskQuery, select: Select) => Effect.Effect<Page, StoreError>

/** Counts and pages with two queries: an index answers the first, and the second stops at the page's end. */
const pageByIndex: Pages = Effect.fnUntraced(function* (db, filter, { limit, offset }, select) {
  const { columns, values, where, wholeColumns } = filter
  const count = wholeColumns
    ? yield* tasksIn(db, columns)
    : decodeCount(yield* db.get(`SELECT count(*) AS count FROM tasks t ${where}`, ...values)).count
  return { count, rows: yield* db.rows(select(db.dialect, where), ...values, limit, offset) }
})

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

const TEXTS = [isInteger, isText, orNull(isText), isText] as const

/** The tasks whose texts match, as a JSON list of their numbers. */
const foundByTexts = Effect.fnUntraced(function* (db: BoardDb, { where, values }: Filter, { q }: TaskQuery) {
  if (db.dialect === "sqlite") {
    return decodeFound(
      yield* db.get(`SELECT count(*) AS count, json_group_array(t.seq) AS found FROM tasks t ${where}`, ...values)
    )
  }
  const needle = q?.toLowerCase()
  const rows = readRows(
    TEXTS,
    yield* db.rows(`SELECT t.seq, t.title, ${DESCRIPTION}, t.labels FROM tasks t ${where}`, ...values)
  )
  const found = rows.filter(([, ...texts]) => taskMatches(needle, ...texts) === 1)
  return { count: found.length, found: JSON.stringify(found.map(([seq]) => seq)) }
})

/** Reads the texts once, for the count and the page together. */
const pageByTexts: Pages = Effect.fnUntraced(function* (db, filter, query, select) {
  const { count, found } = yield* foundByTexts(db, filter, query)
  const where = `WHERE t.seq IN (${NUMBERS[db.dialect]})`
  const rows = yield* db.rows(select(db.dialect, where), found, query.limit, query.offset)
  return { count, rows }
})

/** The numbers of the cards that could start, or couldn't, as a JSON list; nothing if the query doesn't ask. */
const waitingOf = Effect.fnUntraced(function* (db: BoardDb, query: TaskQuery, context: StartContext | undefined) {
  const { blocked = false, ready = false } = query
  if (context === undefined || !(blocked || ready)) return undefined
  const { free, held } = yield* splitByStart(db, yield* startCards(db), context)
  const found = blocked ? (ready ? [] : held) : free
  return JSON.stringify(found.map(({ seq }) => seq))
})

const pageOf = Effect.fnUntraced(function* (
  db: BoardDb,
  query: TaskQuery,
  select: Select,
  context: StartContext | undefined
) {
  const filter = filterOf(query, db.dialect, yield* waitingOf(db, query, context))
  const { count, rows } = yield* (filter.readsTexts ? pageByTexts : pageByIndex)(db, filter, query, select)
  return { count, rows, wholeColumns: filter.wholeColumns }
})

/** Filters, sorts by status and place, and pages, all in the database. `context` is for what could start. */
export const listTasks = Effect.fnUntraced(function* (db: BoardDb, query: TaskQuery, context?: StartContext) {
  const { count, rows, wholeColumns } = yield* pageOf(db, query, selectPage, context)
  const page = rows.map(storedTask)
  const ranked = page.map(({ rank, content }) => ({ status: statusNumber(content.status), rank }))
  const places = yield* placesOf(db, ranked, { offset: query.offset, wholeColumns })
  const list: TaskList = {
    items: page.map(({ content }, index) => taskAt(content, places[index] ?? 0)),
    total: count
  }
  return list
})

/** The same with each task as JSON; only those that `texts` doesn't hold in this version are read whole. */
export const listTaskTexts = Effect.fnUntraced(function* (
  db: BoardDb,
  query: TaskQuery,
  texts: TaskTexts,
  context: StartContext
) {
  const { count, rows, wholeColumns } = yield* pageOf(db, query, selectHeads, context)
  const page = rows.map(taskHead)
  const places = yield* placesOf(db, page, { offset: query.offset, wholeColumns })
  const kept = yield* texts.of(db, page)
  const flows = yield* flowOf(
    db,
    kept.map(({ card }) => card),
    context
  )
  return { items: kept.map(({ text }, index) => closed(text, places[index] ?? 0, flows[index] ?? {})), total: count }
})
