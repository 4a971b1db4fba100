import { Effect, Schema } from "effect"
import { TASK_PRIORITIES } from "../../../contract/board.ts"
import { isInteger, isOneOf, isText, numberIn, orNull, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { BoardDb } from "./BoardStore.ts"
import { statusNumber } from "./taskRows.ts"

const TO_DO = statusNumber("todo")
const DONE = statusNumber("done")
const CANCELLED = statusNumber("cancelled")

/** Notes a run that nobody asked for, and forgets those that no longer count. */
export const noteStart = Effect.fnUntraced(function* (
  db: BoardDb,
  run: { readonly sessionKey: string; readonly taskId: string; readonly at: number },
  countsFrom: number
) {
  yield* db.run(
    `DELETE FROM automatic_runs WHERE coalesce(started_at, 0) < ? AND coalesce(failed_at, 0) < ?
     AND session_key NOT IN (SELECT session_key FROM task_runs)`,
    countsFrom,
    countsFrom
  )
  yield* db.run(
    "INSERT INTO automatic_runs (session_key, task_id, started_at) VALUES (?, ?, ?)",
    run.sessionKey,
    run.taskId,
    run.at
  )
})

/** A clock that was put back doesn't make a later start or failure uncounted. */
export const startsSince = (db: BoardDb, taskId: string, from: number) =>
  Effect.map(
    db.rows("SELECT count(*) FROM automatic_runs WHERE task_id = ? AND started_at > ?", taskId, from),
    numberIn
  )

export const noteFailure = (db: BoardDb, sessionKey: string, at: number) =>
  db.run("UPDATE automatic_runs SET failed_at = ? WHERE session_key = ?", at, sessionKey)

export const failuresSince = (db: BoardDb, from: number) =>
  Effect.map(db.rows("SELECT count(*) FROM automatic_runs WHERE failed_at > ?", from), numberIn)

/** Why automatic starts were switched off, and since when: a card started too often, or runs failed too often. */
export const Breaker = Schema.Struct({
  id: Schema.String,
  at: Schema.Finite,
  /** The card that started too often. */
  taskId: Schema.optionalKey(Schema.String)
})
export type Breaker = typeof Breaker.Type
const decodeBreaker = Schema.decodeUnknownSync(Schema.fromJsonString(Breaker))

const isTextRow = [isText] as const

export const findBreaker = (db: BoardDb) =>
  Effect.map(db.rows("SELECT value FROM board_breaker"), (rows): Breaker | undefined =>
    readRows(isTextRow, rows)
      .map(([value]) => decodeBreaker(value))
      .at(0)
  )

export const saveBreaker = (db: BoardDb, breaker: Breaker) =>
  db.run(
    `INSERT INTO board_breaker ("only", value) VALUES (1, ?) ON CONFLICT ("only") DO UPDATE SET value = excluded.value`,
    JSON.stringify(breaker)
  )

/** Automatic starts go on: what was counted until now counts no more. */
export const clearBreaker = Effect.fnUntraced(function* (db: BoardDb) {
  yield* db.run("DELETE FROM board_breaker")
  yield* db.run("UPDATE automatic_runs SET started_at = NULL, failed_at = NULL")
})

/** A card in `todo` that starts by itself and waits for no other card. */
export interface Candidate {
  readonly id: string
  readonly priority: (typeof TASK_PRIORITIES)[number]
  readonly rank: number
  readonly assignee: string | undefined
  readonly gatewayId: string | undefined
  readonly model: string | undefined
  readonly startAt: number | undefined
}

const CANDIDATE = [
  isText,
  isOneOf(TASK_PRIORITIES),
  isInteger,
  orNull(isText),
  orNull(isText),
  orNull(isText),
  orNull(isInteger)
] as const

const OPEN_LINK = `SELECT 1 FROM task_links l LEFT JOIN tasks p ON p.id = l.after_id
  WHERE l.task = t.seq AND (p.status IS NULL OR p.status <> ${DONE})`

export const listCandidates = (db: BoardDb) =>
  Effect.map(
    db.rows(
      `SELECT t.id, t.priority, t.rank, t.assignee, g.gateway, t.model, w.start_at
       FROM task_flow w JOIN tasks t ON t.seq = w.task LEFT JOIN task_gateways g ON g.task = t.seq
       WHERE w.auto_start = 1 AND t.status = ? AND NOT EXISTS (${OPEN_LINK})`,
      TO_DO
    ),
    (rows): ReadonlyArray<Candidate> =>
      readRows(CANDIDATE, rows).map(([id, priority, rank, assignee, gatewayId, model, startAt]) => ({
        id,
        priority,
        rank,
        assignee: assignee ?? undefined,
        gatewayId: gatewayId ?? undefined,
        model: model ?? undefined,
        startAt: startAt ?? undefined
      }))
  )

/** A card that starts by itself and waits for one that will never be done by itself. */
export interface LostLink {
  readonly taskId: string
  readonly title: string
  readonly lostId: string
  /** Absent when the lost one was deleted. */
  readonly lostTitle: string | undefined
  readonly why: "cancelled" | "deleted" | "failed"
}

const LOST = [isText, isText, isText, orNull(isText), orNull(isInteger)] as const

/** `gaveUp` is part of the run that is stored as JSON; in texts of JSON the quotes are escaped. */
const IS_LOST = `(p.status IS NULL OR p.status = ${CANCELLED} OR
  (p.status <> ${DONE} AND p.run LIKE '%"gaveUp":true%'))`

export const listLostLinks = (db: BoardDb) =>
  Effect.map(
    db.rows(
      `SELECT t.id, t.title, l.after_id, p.title, p.status
       FROM task_flow w JOIN tasks t ON t.seq = w.task
       JOIN task_links l ON l.task = w.task LEFT JOIN tasks p ON p.id = l.after_id
       WHERE w.auto_start = 1 AND t.status = ? AND ${IS_LOST} ORDER BY t.rank, l.after_id`,
      TO_DO
    ),
    (rows): ReadonlyArray<LostLink> =>
      readRows(LOST, rows).map(([taskId, title, lostId, lostTitle, status]) => ({
        taskId,
        title,
        lostId,
        lostTitle: lostTitle ?? undefined,
        why: status === null ? "deleted" : status === CANCELLED ? "cancelled" : "failed"
      }))
  )

/** The lost ones among the cards that one card waits for. */
export const lostAmong = (db: BoardDb, seq: number) =>
  Effect.map(
    db.rows(
      `SELECT l.after_id FROM task_links l LEFT JOIN tasks p ON p.id = l.after_id WHERE l.task = ? AND ${IS_LOST}`,
      seq
    ),
    (rows): ReadonlySet<string> => new Set(readRows(isTextRow, rows).map(([id]) => id))
  )
