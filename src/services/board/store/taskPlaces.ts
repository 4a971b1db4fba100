import { Effect, Option, Schema } from "effect"
import { numberIn } from "../../platform/sqlite/rowGuards.ts"
import type { StoreError } from "../../platform/sqlite/Sqlite.ts"
import type { BoardDb } from "./BoardStore.ts"

/** Distance between the ranks of two consecutive tasks. */
const GAP = 2 ** 20

const decodeRanks = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ seq: Schema.Int, rank: Schema.Int })))

interface Placed {
  readonly seq: number
  readonly rank: number
}

/** The rank halfway between two neighbours; nothing if there's no room. */
const rankBetween = (before: number | undefined, after: number | undefined): Option.Option<number> => {
  if (before === undefined) return Option.some(after === undefined ? 0 : after - GAP)
  if (after === undefined) return Option.some(before + GAP)
  const middle = before + Math.floor((after - before) / 2)
  return middle > before ? Option.some(middle) : Option.none()
}

/**
 * Even ranks for `count` tasks that follow `start` and end before `end`; nothing if they don't fit with room
 * to spare. Without an end, there's always room.
 */
const spreadRanks = (start: number, end: number | undefined, count: number): Option.Option<ReadonlyArray<number>> => {
  const step = end === undefined ? GAP : Math.floor((end - start) / (count + 1))
  return step < 4 ? Option.none() : Option.some(Array.from({ length: count }, (_, index) => start + step * (index + 1)))
}

const following = (db: BoardDb, status: number, rank: number, limit: number) =>
  Effect.map(
    db.all("SELECT seq, rank FROM tasks WHERE status = ? AND rank > ? ORDER BY rank LIMIT ?", status, rank, limit),
    decodeRanks
  )

/** Makes room after a rank by spreading the nearest tasks that follow it, as few as possible. */
const makeRoom = Effect.fnUntraced(function* (db: BoardDb, status: number, rank: number) {
  for (let size = 16; ; size *= 2) {
    const next = yield* following(db, status, rank, size + 1)
    const moved = next.slice(0, size)
    const ranks = spreadRanks(rank, next[size]?.rank, moved.length)
    if (Option.isNone(ranks)) continue
    for (const [index, task] of moved.entries()) {
      yield* db.run("UPDATE tasks SET rank = ? WHERE seq = ?", ranks.value[index] ?? task.rank, task.seq)
    }
    return
  }
})

/** How many tasks these columns have together. */
export const tasksIn = (db: BoardDb, statuses: ReadonlyArray<number>) => {
  const marks = statuses.map(() => "?").join(", ")
  // SQLite counts by reading every entry of the index; there, triggers keep the counts.
  const sql =
    db.dialect === "sqlite"
      ? `SELECT coalesce(sum(count), 0) FROM column_counts WHERE status IN (${marks})`
      : `SELECT count(*) FROM tasks WHERE status IN (${marks})`
  return Effect.mapEager(db.rows(sql, ...statuses), numberIn)
}

/** Tasks counted one by one from an end of the column, before the whole column is. */
const NEAR = 256

const BEFORE = "SELECT 1 FROM tasks WHERE status = ? AND rank < ?"
const FROM_HERE = "SELECT 1 FROM tasks WHERE status = ? AND rank >= ?"

const count = (db: BoardDb, rows: string, status: number, rank: number) =>
  Effect.mapEager(db.rows(`SELECT count(*) FROM (${rows}) counted`, status, rank), numberIn)

/**
 * A rank's place in its column, counted from 0: its `columnOrder`. It's derived, so it's always dense and a move
 * doesn't rewrite other tasks. Most of those requested are near the start of a column, or have just come to its end.
 */
export const placeOf = Effect.fnUntraced(function* (db: BoardDb, status: number, rank: number) {
  const before = yield* count(db, `${BEFORE} LIMIT ${NEAR}`, status, rank)
  if (before < NEAR) return before
  const rest = yield* count(db, `${FROM_HERE} LIMIT ${NEAR}`, status, rank)
  return rest < NEAR ? (yield* tasksIn(db, [status])) - rest : yield* count(db, BEFORE, status, rank)
})

/** How many tasks of a column have a rank from `from` to below `to`. */
export const placesBetween = (db: BoardDb, status: number, from: number, to: number) =>
  Effect.mapEager(
    db.rows("SELECT count(*) FROM tasks WHERE status = ? AND rank >= ? AND rank < ?", status, from, to),
    numberIn
  )

/** A rank after every task of the column. */
export const rankAtEnd = (db: BoardDb, status: number) =>
  Effect.mapEager(db.rows("SELECT rank FROM tasks WHERE status = ? ORDER BY rank DESC LIMIT 1", status), (rows) =>
    rows.length === 0 ? 0 : numberIn(rows) + GAP
  )

/** A rank that puts a task at `index` in the column, not counting the task itself; past the end means the end. */
export const rankAt: (db: BoardDb, status: number, index: number, self: number) => Effect.Effect<number, StoreError> =
  Effect.fnUntraced(function* (db, status, index, self) {
    const around: ReadonlyArray<Placed> = decodeRanks(
      yield* db.all(
        "SELECT seq, rank FROM tasks WHERE status = ? AND seq <> ? ORDER BY rank LIMIT ? OFFSET ?",
        status,
        self,
        index === 0 ? 1 : 2,
        Math.max(0, index - 1)
      )
    )
    if (index > 0 && around.length === 0) return yield* rankAtEnd(db, status)
    const before = index === 0 ? undefined : around[0]
    const after = index === 0 ? around[0] : around[1]
    const rank = rankBetween(before?.rank, after?.rank)
    if (Option.isSome(rank)) return rank.value
    yield* makeRoom(db, status, before?.rank ?? 0)
    return yield* rankAt(db, status, index, self)
  })
