import { Effect } from "effect"
import { elsewhere, insertInto, integer, optional, table, text } from "../../platform/sqlite/table.ts"
import type { RunOrder } from "../boardEvents.ts"
import type { BoardDb } from "./BoardStore.ts"

const RUN = table("r", {
  sessionKey: text,
  taskId: text,
  runId: text,
  startedAt: integer,
  model: text,
  modelIsFallback: { read: (value: unknown) => value === 1, write: (value: boolean) => Number(value) },
  thinking: optional(text),
  gatewayId: elsewhere("g.gateway", optional(text))
})
const INSERT_RUN = insertInto("task_runs", [...RUN.names, "state"])

/** Records an active run. */
export const insertRun = Effect.fnUntraced(function* (db: BoardDb, run: RunOrder) {
  yield* db.run(INSERT_RUN, ...RUN.values(run), "active")
  if (run.gatewayId !== undefined)
    yield* db.run("INSERT INTO run_gateways (session_key, gateway) VALUES (?, ?)", run.sessionKey, run.gatewayId)
})

/** Lets an active run go on with another message, from now on. */
export const resumeRunOrder = (db: BoardDb, sessionKey: string, runId: string, now: number) =>
  db.run(
    "UPDATE task_runs SET run_id = ?, started_at = ? WHERE session_key = ? AND state = 'active'",
    runId,
    now,
    sessionKey
  )

/** How a run is marked as over; where consoles share a board, a stop that no console can send is deleted after a while. */
const STOPPING = {
  sqlite: "state = 'stopping'",
  postgres: "state = 'stopping', lease_until = clock_timestamp()"
} as const

/** Marks all runs as over, as when the board is replaced. */
export const endEveryRun = (db: BoardDb) => db.run(`UPDATE task_runs SET ${STOPPING[db.dialect]}`)

/** Removes a finished run; with `stop`, keeps it until the gateway has received the stop. */
export const endRunOrder = (db: BoardDb, sessionKey: string, stop: boolean) =>
  stop
    ? db.run(`UPDATE task_runs SET ${STOPPING[db.dialect]} WHERE session_key = ?`, sessionKey)
    : db.run("DELETE FROM task_runs WHERE session_key = ?", sessionKey)

/** The runs where a condition on `task_runs r` holds. */
export const selectRuns = (db: BoardDb, condition: string, ...values: ReadonlyArray<string>) =>
  Effect.map(
    db.rows(
      `SELECT ${RUN.selected(db.dialect)} FROM task_runs r LEFT JOIN run_gateways g ON g.session_key = r.session_key
       WHERE ${condition} ORDER BY r.started_at`,
      ...values
    ),
    (rows): ReadonlyArray<RunOrder> => rows.map(RUN.read)
  )

/** Active runs, or stops not yet sent to the gateway. */
export const listRuns = (db: BoardDb, state: "active" | "stopping") => selectRuns(db, "r.state = ?", state)
