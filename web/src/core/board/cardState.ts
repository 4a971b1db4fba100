import { say } from "../language/say.ts"
import { isRunning, isWaiting, type Task } from "./boardTypes.ts"

/** How a card stands among its family. */
export type CardState = "running" | "ready" | "waiting" | "review" | "failed" | "by-hand" | "done" | "cancelled"

export const STATE_TEXTS: Readonly<Record<CardState, string>> = {
  running: say("Running"),
  ready: say("Ready"),
  waiting: say("Waits"),
  review: say("In review"),
  failed: say("Failed"),
  "by-hand": say("In progress"),
  done: say("Done"),
  cancelled: say("Cancelled")
}

export const cardState = (task: Task): CardState => {
  if (isRunning(task)) return "running"
  if (isWaiting(task)) {
    if (task.waitsFor.length > 0) return "waiting"
    return task.run?.status === "error" ? "failed" : "ready"
  }
  switch (task.status) {
    case "review":
    case "done":
    case "cancelled":
      return task.status
    default:
      return "by-hand"
  }
}
