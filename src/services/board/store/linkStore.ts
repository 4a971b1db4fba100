import { Effect, Schema } from "effect"
import type { ChildCount, TaskStatus } from "../../../contract/schema/task.ts"
import { isInteger, isText, readRows } from "../../platform/sqlite/rowGuards.ts"
import { elsewhere, integer, optional, table, text } from "../../platform/sqlite/table.ts"
import type { Link } from "../flow/cyclePath.ts"
import type { BoardDb } from "./BoardStore.ts"
import { FLOW_FIELDS, STATUS, statusNumber, taskStatus } from "./taskRows.ts"

const DONE = statusNumber("done")

/** The columns in which a card can wait. */
export const WAITING = [statusNumber("backlog"), statusNumber("todo")] as const

const marks = (ids: ReadonlyArray<string>): string => ids.map(() => "?").join(", ")

const decodeIds = Schema.decodeUnknownSync(Schema.Array(Schema.Tuple([Schema.String])))
const idsOf = (rows: ReadonlyArray<unknown>): ReadonlyArray<string> => decodeIds(rows).map(([id]) => id)

const CARD = [isText, isInteger, isText] as const

/** A card that another one waits for. */
export interface Predecessor {
  readonly status: TaskStatus
  readonly title: string
}

const predecessorsOf = (rows: ReadonlyArray<unknown>): ReadonlyMap<string, Predecessor> =>
  new Map(readRows(CARD, rows).map(([id, status, title]) => [id, { status: taskStatus(status), title }]))

/** Those of the cards that are on the board. */
export const findPredecessors = (db: BoardDb, ids: ReadonlyArray<string>) =>
  ids.length === 0
    ? Effect.succeed<ReadonlyMap<string, Predecessor>>(new Map())
    : Effect.map(
        db.rows(`SELECT t.id, t.status, t.title FROM tasks t WHERE t.id IN (${marks(ids)})`, ...ids),
        predecessorsOf
      )

const RESULT = [isText, isText, isText] as const

/** The results of those of the cards that are done and have one, in their order. */
export const findResults = (db: BoardDb, ids: ReadonlyArray<string>) =>
  Effect.map(
    db.rows(
      `SELECT t.id, t.title, x.result FROM tasks t JOIN task_texts x ON x.task = t.seq
       WHERE t.id IN (${marks(ids)}) AND t.status = ${DONE} AND x.result IS NOT NULL`,
      ...ids
    ),
    (rows) =>
      readRows(RESULT, rows)
        .map(([id, title, result]) => ({ id, title, result }))
        .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
  )

/** Every card that another one waits for. */
export const findEveryPredecessor = (db: BoardDb) =>
  Effect.map(
    db.rows("SELECT t.id, t.status, t.title FROM tasks t WHERE t.id IN (SELECT l.after_id FROM task_links l)"),
    predecessorsOf
  )

const COUNT = [isText, isInteger, isInteger] as const

/** The children of those of the cards that have any. */
export const countChildren = (db: BoardDb, ids: ReadonlyArray<string>) =>
  ids.length === 0
    ? Effect.succeed<ReadonlyMap<string, ChildCount>>(new Map())
    : Effect.map(
        db.rows(
          `SELECT w.parent_id, count(*), sum(CASE WHEN t.status = ${DONE} THEN 1 ELSE 0 END)
           FROM task_flow w JOIN tasks t ON t.seq = w.task WHERE w.parent_id IN (${marks(ids)}) GROUP BY w.parent_id`,
          ...ids
        ),
        (rows): ReadonlyMap<string, ChildCount> =>
          new Map(readRows(COUNT, rows).map(([id, total, done]) => [id, { total, done }]))
      )

/** The ids of a card's children. */
export const listChildren = (db: BoardDb, id: string) =>
  Effect.map(db.rows("SELECT t.id FROM task_flow w JOIN tasks t ON t.seq = w.task WHERE w.parent_id = ?", id), idsOf)

/** The ids of the cards that haven't begun and wait for this one. */
export const listWaiting = (db: BoardDb, id: string) =>
  Effect.map(
    db.rows(
      `SELECT t.id FROM task_links l JOIN tasks t ON t.seq = l.task
       WHERE l.after_id = ? AND t.status IN (${WAITING.join(", ")})`,
      id
    ),
    idsOf
  )

/** Whether any card waits for this one. */
export const isWaitedFor = (db: BoardDb, id: string) =>
  Effect.map(db.rows("SELECT 1 FROM task_links WHERE after_id = ? LIMIT 1", id), (rows) => rows.length > 0)

const LINK = [isText, isText] as const

/** The links from these cards on, and from those that they lead to. */
export const linksFrom = (db: BoardDb, ids: ReadonlyArray<string>) =>
  Effect.map(
    db.rows(
      `WITH RECURSIVE reached (id) AS (
         SELECT t.id FROM tasks t WHERE t.id IN (${marks(ids)})
         UNION
         SELECT l.after_id FROM reached r JOIN tasks t ON t.id = r.id JOIN task_links l ON l.task = t.seq
       )
       SELECT t.id, l.after_id FROM reached r JOIN tasks t ON t.id = r.id JOIN task_links l ON l.task = t.seq`,
      ...ids
    ),
    (rows): ReadonlyArray<Link> => readRows(LINK, rows).map(([from, to]) => ({ from, to }))
  )

/** A file that was put together by hand may have any depth. */
const DEEPEST = 100

/** A card and those above it, from below. */
export const lineOf = (db: BoardDb, id: string) =>
  Effect.map(
    db.rows(
      `WITH RECURSIVE line (id, depth) AS (
         SELECT CAST(? AS text), 0
         UNION ALL
         SELECT w.parent_id, line.depth + 1 FROM line JOIN tasks t ON t.id = line.id JOIN task_flow w ON w.task = t.seq
         WHERE w.parent_id IS NOT NULL AND line.depth < ${DEEPEST}
       )
       SELECT id FROM line ORDER BY depth`,
      id
    ),
    idsOf
  )

const decodeDepth = Schema.decodeUnknownSync(Schema.Array(Schema.Tuple([Schema.Int])))

/** How many generations a card has below it, up to `most`. */
export const heightOf = (db: BoardDb, id: string, most: number) =>
  Effect.map(
    db.rows(
      `WITH RECURSIVE below (id, depth) AS (
         SELECT CAST(? AS text), 0
         UNION ALL
         SELECT t.id, below.depth + 1 FROM below JOIN task_flow w ON w.parent_id = below.id JOIN tasks t ON t.seq = w.task
         WHERE below.depth < ${most}
       )
       SELECT max(depth) FROM below`,
      id
    ),
    (rows) => decodeDepth(rows)[0]?.[0] ?? 0
  )

const START_CARD = table("t", {
  seq: elsewhere("t.seq", integer),
  id: text,
  status: STATUS,
  assignee: optional(text),
  model: optional(text),
  gatewayId: elsewhere("g.gateway", optional(text)),
  ...FLOW_FIELDS
})

/** Every card that hasn't begun, with what decides whether it can. */
export const startCards = (db: BoardDb) =>
  Effect.map(
    db.rows(
      `SELECT ${START_CARD.selected(db.dialect)} FROM tasks t LEFT JOIN task_flow w ON w.task = t.seq
       LEFT JOIN task_gateways g ON g.task = t.seq WHERE t.status IN (${WAITING.join(", ")})`
    ),
    (rows) => rows.map(START_CARD.read)
  )
