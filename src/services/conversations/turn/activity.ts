import { type Conversation, isRunning, timer, todo } from "./Conversation.ts"
import type { Activity } from "./chatItems.ts"

const DONE_FOR = 3_000
const PAINT_EVERY = 16
/** A turn that is silent for this long is checked. */
const SILENCE = 60_000

export function publish(state: Conversation): Conversation {
  const painted = { ...state, paintedAt: state.now, paints: false }
  return todo(state.paints ? timer(painted, "paint") : painted, { type: "publish" })
}

/** Deltas come faster than a screen can show: at most one state per frame. */
export function publishSoon(state: Conversation): Conversation {
  const wait = PAINT_EVERY - Math.abs(state.now - state.paintedAt)
  if (wait <= 0) return publish(state)
  return state.paints ? state : timer({ ...state, paints: true }, "paint", wait)
}

/** `DONE` becomes `IDLE` after a while. */
export function withActivity(state: Conversation, activity: Activity): Conversation {
  const next = { ...state, activity }
  if (activity === "DONE") return timer(next, "done", DONE_FOR)
  return state.activity === "DONE" ? timer(next, "done") : next
}

export const watchSilence = (state: Conversation): Conversation =>
  timer(state, "silence", isRunning(state) ? SILENCE : null)
