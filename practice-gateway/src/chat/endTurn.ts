import type { TurnEnd } from "./playTurn.ts"
import { type Active, type RunState, settle } from "./runState.ts"

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
      const { reported, stored } = generation.failures[end.reason]
      turn.session.lastRunError = reported
      events.failed(turn, writer.storeFailure(stored), reported, end.reason)
      settle(state, run, { status: "error", text: turn.shown, error: reported })
      break
    }
    case "overflow":
      // The session silently restarts without the message.
      store.reset(turn.session, false)
      events.queued(turn)
      settle(state, run, { status: "ok", text: "" })
  }
}
