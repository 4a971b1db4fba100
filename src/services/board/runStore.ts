import { Schema } from "effect"
import type { SqlConnection } from "../platform/sqlite/Sqlite.ts"

/** What the runner needs to start or stop a run. */
export interface RunOrder {
  readonly taskId: string
  readonly sessionKey: string
  readonly runId: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly model: string
  /** Nobody chose this model: the run may continue without it. */
  readonly modelIsFallback: boolean
  readonly thinking: string | undefined
}

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
export const insertRun = (db: SqlConnection, run: RunOrder): void => {
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
}

/** Removes a finished run; with `stop`, keeps it until the gateway has been told. */
export const endRunOrder = (db: SqlConnection, sessionKey: string, stop: boolean): void => {
  if (stop) db.run("UPDATE task_runs SET state = 'stopping' WHERE session_key = ?", sessionKey)
  else db.run("DELETE FROM task_runs WHERE session_key = ?", sessionKey)
}

/** Active runs, or stops the gateway hasn't been told about yet. */
export const listRuns = (db: SqlConnection, state: "active" | "stopping"): ReadonlyArray<RunOrder> =>
  db.all("SELECT * FROM task_runs WHERE state = ? ORDER BY started_at", state).map((row) => {
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
  })
