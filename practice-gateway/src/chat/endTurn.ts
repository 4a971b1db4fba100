import { Effect } from "effect"
import { FAILURES } from "./failures.ts"
import type { TurnEnd } from "./playTurn.ts"
import { type Active, type RunState, settle } from "./runState.ts"

/** Retries of the older generation after a rate limit, and the pause before each. */
const RETRIES = 2
const RETRY_MS = 200

/** Takes a session's turn off, without telling anyone. */
const close = (
  { active, options }: RunState,
  { run, turn }: Omit<Active, "fiber">,
  status: "done" | "failed"
): void => {
  const { session } = turn
  active.delete(session.key)
  session.activeRuns.delete(run.runId)
  session.status = status
  session.endedAt = options.now()
  session.updatedAt = session.endedAt
  session.lastRunId = run.runId
  session.lastRunError = undefined
  session.unread = true
}

/** Ends a turn that nobody stopped. */
export const endTurn = (state: RunState, ended: Omit<Active, "fiber">, end: TurnEnd): void => {
  const { events, generation, store } = state.options
  const { run, turn, writer } = ended
  close(state, ended, end.type === "failed" ? "failed" : "done")
  switch (end.type) {
    case "done":
      events.finished(turn, end.message)
      settle(state, run, { status: "ok", text: turn.shown })
      break
    case "failed": {
      const { told, stored } = FAILURES[end.reason][generation]
      turn.session.lastRunError = told
      events.failed(turn, writer.storeFailure(stored), told, end.reason)
      settle(state, run, { status: "error", text: turn.shown, error: told })
      break
    }
    case "overflow":
      // The session silently restarts without the message.
      store.reset(turn.session, false)
      events.queued(turn)
      settle(state, run, { status: "ok", text: "" })
  }
}

/** The older generation tries again on its own after a rate limit has failed the turn, and keeps every failure. */
export const retryInVain = ({ options }: RunState, { turn, writer }: Omit<Active, "fiber">, end: TurnEnd): void => {
  const { fork, generation, sessions, store } = options
  if (generation === "new" || end.type !== "failed" || end.reason !== "rate_limit") return
  const retry = Effect.sync(() => {
    if (store.sessions.get(turn.session.key) !== turn.session) return
    sessions.message(turn.session, writer.storeFailure(FAILURES.rate_limit.old.stored), turn.runId)
  })
  fork(Effect.repeat(Effect.delay(retry, RETRY_MS), { times: RETRIES - 1 }))
}
