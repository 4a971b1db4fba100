import { Effect } from "effect"
import type { RoutineTask } from "../../../contract/schema/routine.ts"
import type { Task } from "../../../contract/schema/task.ts"
import { InvalidLink } from "../boardErrors.ts"
import { type Mutation, routineChange, withoutEvents } from "../boardEvents.ts"
import { addUnattended, type MutationContext } from "../boardMutations.ts"
import { checkLinks } from "../flow/checkLinks.ts"
import type { BoardDb } from "../store/BoardStore.ts"
import { firstRoutine, type StoredRoutine, saveRoutine } from "../store/routineStore.ts"
import { findTask } from "../store/taskStore.ts"
import { afterTime, cardFor, dueTime, withCard } from "./routineRules.ts"

const ofTask = ({ message, why }: InvalidLink) =>
  new InvalidLink({
    message: `task.${message}`,
    ...(why === undefined ? {} : { why: { ...why, values: { ...why.values, field: `task.${why.values?.field}` } } })
  })

/** Refuses links to cards that aren't there; what the routine named `before` may be given again. */
export const checkTask = (context: MutationContext, task: RoutineTask, before?: RoutineTask) =>
  checkLinks(context.db, context.newId(), task, before?.after).pipe(
    Effect.catchTags({
      InvalidLink: (refused) => Effect.fail(ofTask(refused)),
      // Nothing waits for a card that isn't made yet.
      CycleFound: Effect.die
    })
  )

/** Makes the next card of a routine, for a time. */
export const makeCard = Effect.fnUntraced(function* (context: MutationContext, routine: StoredRoutine, time: number) {
  // A routine's cards are nobody's own.
  const added = yield* addUnattended({ ...context, by: undefined }, cardFor(routine, time))
  yield* saveRoutine(context.db, withCard(routine, added.value.id))
  const made: Mutation<Task> = { ...added, changes: [...added.changes, routineChange(routine.id)] }
  return made
})

/** Whether the last card of a routine is neither done nor cancelled. */
const isLastOpen = Effect.fnUntraced(function* (db: BoardDb, { lastTaskId }: StoredRoutine) {
  const last = lastTaskId === undefined ? undefined : yield* findTask(db, lastTaskId)
  return last !== undefined && last.content.status !== "done" && last.content.status !== "cancelled"
})

/**
 * Makes the card of the routine that is due first, and moves that routine on to its next time in the same transaction, so
 * that no time makes two cards or none, whichever console comes first. Its value is how many milliseconds nothing is due.
 */
export const makeNextCard = Effect.fnUntraced(function* (context: MutationContext) {
  const { db, now } = context
  const routine = yield* firstRoutine(db)
  if (routine?.nextAt === undefined) return withoutEvents(Number.POSITIVE_INFINITY)
  const time = dueTime(routine, now)
  if (time === undefined) return withoutEvents(routine.nextAt - now)
  const next = afterTime(routine, time)
  if (routine.skipWhileOpen && (yield* isLastOpen(db, routine))) {
    yield* saveRoutine(db, next)
    return { ...withoutEvents(0), changes: [routineChange(routine.id)] }
  }
  return { ...(yield* makeCard(context, { ...next, lastAt: time }, time)), value: 0 }
})
