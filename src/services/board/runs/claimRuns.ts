import { Clock, Effect, Result } from "effect"
import type { StoreError } from "../../platform/sqlite/Sqlite.ts"
import { type Mutation, quiet } from "../boardEvents.ts"
import { changeTask, type MutationContext } from "../boardMutations.ts"
import type { ConsoleName } from "../store/ConsoleName.ts"
import { dueRuns, takeLease } from "../store/leaseRows.ts"
import { selectRuns } from "../store/runStore.ts"
import { takeOverRun } from "../tasks/taskRules.ts"
import type { RunOrder } from "./runOrder.ts"

/** A run that this console carries on from now on. */
export interface ClaimedRun {
  /** Its start by this console's clock. */
  readonly order: RunOrder
  /** It ran on another gateway, which this console may not reach. */
  readonly isFromElsewhere: boolean
}

/** Takes over the runs that nobody carries on any more. */
export const claimRuns = Effect.fnUntraced(function* (
  context: MutationContext,
  name: ConsoleName,
  isStart: boolean
): Effect.fn.Return<Mutation<ReadonlyArray<ClaimedRun>>, StoreError> {
  const { db, now } = context
  const claimed: Array<ClaimedRun> = []
  let changes: Mutation<unknown>["changes"] = []
  for (const due of yield* dueRuns(db, name, isStart)) {
    const fence = yield* takeLease(db, due.session_key, name)
    const [order] = yield* selectRuns(db, "r.session_key = ?", due.session_key)
    if (order === undefined) continue
    const taken = yield* changeTask(context, order.taskId, ({ content }) =>
      Result.succeed(takeOverRun(content, name, now))
    ).pipe(Effect.catchTag("TaskNotFound", () => Effect.succeed(quiet(undefined))))
    changes = [...changes, ...taken.changes]
    const age = now - order.startedAt
    const startedAt = (yield* Clock.currentTimeMillis) - age
    claimed.push({
      order: { ...order, startedAt, fence, owner: name.owner },
      isFromElsewhere: due.gateway !== name.gateway
    })
  }
  return { value: claimed, changes, runs: [] }
})
