import { Effect, Schema } from "effect"
import { optionalEntry } from "../../platform/optionalEntry.ts"
import type { RunOrder } from "../runs/runOrder.ts"
import type { BoardDb } from "./BoardStore.ts"

const decodeRow = Schema.decodeUnknownSync(
  Schema.Struct({
    task_id: Schema.String,
    session_key: Schema.String,
    run_id: Schema.String,
    started_at: Schema.Int,
    model: Schema.String,
    model_is_fallback: Schema.Int,
    thinking: Schema.NullOr(Schema.String),
    gateway_id: Schema.NullOr(Schema.String)
  })
)

/** Records an active run. */
export const insertRun = Effect.fnUntraced(function* (db: BoardDb, run: RunOrder) {
  yield* db.run(
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
  if (run.gatewayId !== undefined)
    yield* db.run("INSERT INTO run_gateways (session_key, gateway) VALUES (?, ?)", run.sessionKey, run.gatewayId)
})

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

/** Selects whole runs, as `runOrder` decodes them. */
export const SELECT_RUNS = `SELECT r.*, g.gateway AS gateway_id
  FROM task_runs r LEFT JOIN run_gateways g ON g.session_key = r.session_key`

/** Decodes a row of `SELECT_RUNS`. */
export const runOrder = (row: unknown): RunOrder => {
  const r = decodeRow(row)
  return {
    taskId: r.task_id,
    sessionKey: r.session_key,
    runId: r.run_id,
    startedAt: r.started_at,
    model: r.model,
    modelIsFallback: r.model_is_fallback === 1,
    thinking: r.thinking ?? undefined,
    ...optionalEntry("gatewayId", r.gateway_id)
  }
}

/** Active runs, or stops the gateway hasn't been told about yet. */
export const listRuns = (db: BoardDb, state: "active" | "stopping") =>
  Effect.map(db.all(`${SELECT_RUNS} WHERE r.state = ? ORDER BY r.started_at`, state), (rows) => rows.map(runOrder))
