import { Effect, Result } from "effect"
import { PRIMARY, qualifiedKey } from "../../../contract/qualifiedKey.ts"
import type { AskedBy } from "../../../contract/schema/proposal.ts"
import type { Task } from "../../../contract/schema/task.ts"
import type { StoreError } from "../../platform/sqlite/Sqlite.ts"
import type { InvalidTransition, TaskNotFound } from "../boardErrors.ts"
import type { Mutation, RunOrder } from "../boardEvents.ts"
import { changeTask, type MutationContext } from "../boardMutations.ts"
import { proposalsFrom, proposer } from "../proposals/proposalMutations.ts"
import type { Answer } from "../proposals/readAnswer.ts"
import { holdsLease } from "../store/leaseRows.ts"
import { findTask, placedTask } from "../store/taskStore.ts"
import { finishRun, noActiveRun, type RunDetails, type RunOutcome } from "../tasks/taskRules.ts"
import { markerNotes } from "./runNotes.ts"

/**
 * Ends the active run and stores the proposals in the agent's answer, in one transaction, and notes what of it wasn't used. With `only`, the active run
 * must be that one.
 */
export const endRun = Effect.fnUntraced(function* (
  context: MutationContext,
  id: string,
  outcome: RunOutcome,
  answer: Answer | undefined,
  only?: { readonly order: RunOrder; readonly about: RunDetails }
): Effect.fn.Return<Mutation<Task>, TaskNotFound | InvalidTransition | StoreError> {
  const isLost = only !== undefined && !(yield* holdsLease(context.db, only.order))
  const finished = yield* changeTask(context, id, ({ content }) =>
    isLost
      ? Result.fail(noActiveRun(content, "todo"))
      : finishRun(content, outcome, context.config, context.now, only && { ...only.order, about: only.about })
  )
  const { gatewayId = PRIMARY, sessionKey } = finished.value.run ?? {}
  const proposedBy = proposer(sessionKey)
  const by: AskedBy =
    sessionKey === undefined ? { proposedBy } : { proposedBy, sourceSessionKey: qualifiedKey(gatewayId, sessionKey) }
  const { changes, runs, faults } = yield* proposalsFrom(context, answer?.asks ?? [], by, id)
  const latest = changes.length === 0 ? undefined : yield* findTask(context.db, id)
  const task = latest === undefined ? finished.value : yield* placedTask(context.db, latest)
  return {
    value: task,
    changes: [...finished.changes, ...changes],
    runs: [...finished.runs, ...runs],
    notes: markerNotes(task, [...(answer?.faults ?? []), ...faults])
  }
})
