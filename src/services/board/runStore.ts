import { Effect, Schema } from "effect"
import type { RunOrder } from "./runOrder.ts"
import type { BoardDb } from "./store/BoardStore.ts"

const decodeRow = Schema.decodeUnknownSync(
  Schema.Struct({
    task_id: Schema.String,
    session_key: Schema.String,
    run_id: Schema.String,
    started_at: Schema.Int,
    model: Schema.String,
    model_is_fallback: Schema.Int,
    thinking: Schema.NullOr(Schema.String)
  })
)

/** Records an active run. */
export const insertRun = (db: BoardDb, run: RunOrder) =>
  db.run(
    `INSERT INTO task_runs (session_key, task_id, run_id, state, started_at, model, model_is_fallback, thinking)
     VALUES (?, ?, ?, 'active', ?, ?, ?, ?)`,
    run.sessionKey,
    run.taskId,
    run.runId,
    run.startedAt,
    run.model,
    run.modelIsFallback ? 1 : 0,
    run.thinking ?? null
  )

/** How a run is marked as over; where consoles share a board, a stop that nobody can make is forgotten after a while. */
const STOPPING = {
  sqlite: "state = 'stopping'",
  postgres: "state = 'stopping', lease_until = clock_timestamp()"
} as const

/** Marks all runs as over, as when the board is replaced. */
export const endEveryRun = (db: BoardDb) => db.run(`UPDATE task_runs SET ${STOPPING[db.dialect]}`)

/** Removes a finished run; with `stop`, keeps it until the gateway has been told. */
export const endRunOrder = (db: BoardDb, sessionKey: string, stop: boolean) =>
  stop
    ? db.run(`UPDATE task_runs SET ${STOPPING[db.dialect]} WHERE session_key = ?`, sessionKey)
    : db.run("DELETE FROM task_runs WHERE session_key = ?", sessionKey)

/** Decodes a row of `task_runs`. */
export const runOrder = (row: unknown): RunOrder => {
  const r = decodeRow(row)
  return {
    taskId: r.task_id,
    sessionKey: r.session_key,
    runId: r.run_id,
    startedAt: r.started_at,
    model: r.model,
    modelIsFallback: r.model_is_fallback === 1,
    thinking: r.thinking ?? undefined
  }
}

/** Active runs, or stops the gateway hasn't been told about yet. */
export const listRuns = (db: BoardDb, state: "active" | "stopping") =>
  Effect.map(db.all("SELECT * FROM task_runs WHERE state = ? ORDER BY started_at", state), (rows) => rows.map(runOrder))
