import { Effect } from "effect"
import type { BoardConfig } from "../../../contract/schema/boardConfig.ts"
import type { KanbanChange } from "../../../contract/schema/kanbanChange.ts"
import { optionalEntry } from "../../platform/optionalEntry.ts"
import { saveConfig } from "../boardConfig.ts"
import { configChange } from "../boardEvents.ts"
import { failuresSince, noteFailure, saveBreaker } from "../store/automaticStore.ts"
import type { BoardDb } from "../store/BoardStore.ts"
import type { TaskChange } from "../tasks/taskRules.ts"
import { FAILURES_COUNT_MS, MAX_FAILURES } from "./automaticRules.ts"

interface BreakerContext {
  readonly db: BoardDb
  readonly now: number
  readonly config: BoardConfig
  readonly newId: () => string
}

/** Switches the board's automatic starts off until a person switches them on. */
export const trip = Effect.fnUntraced(function* ({ config, db, newId, now }: BreakerContext, taskId?: string) {
  const none: ReadonlyArray<KanbanChange> = []
  if (config.parallel.paused) return none
  const next = { ...config, parallel: { ...config.parallel, paused: true } }
  yield* saveConfig(db, next)
  yield* saveBreaker(db, { id: newId(), at: now, ...optionalEntry("taskId", taskId) })
  return [configChange(next)]
})

/** Counts the failure of an automatic run; after too many of them, automatic starts are switched off. */
export const countFailure = Effect.fnUntraced(function* (context: BreakerContext, { ended }: TaskChange) {
  const none: ReadonlyArray<KanbanChange> = []
  const { db, now } = context
  if (ended?.run.automatic === undefined || ended.run.status !== "error") return none
  yield* noteFailure(db, ended.run.sessionKey, now)
  return (yield* failuresSince(db, now - FAILURES_COUNT_MS)) < MAX_FAILURES ? none : yield* trip(context)
})
