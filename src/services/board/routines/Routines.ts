import { Context, Effect, Layer, PubSub, Queue } from "effect"
import { type CreateRoutine, MAX_ROUTINES, type PatchRoutine, type Routine } from "../../../contract/schema/routine.ts"
import type { Task } from "../../../contract/schema/task.ts"
import { EventBus } from "../../platform/events/EventBus.ts"
import { ownZone } from "../../platform/ownZone.ts"
import type { StoreError } from "../../platform/sqlite/Sqlite.ts"
import { type InvalidLink, type RoutineConflict, RoutineNotFound, TooManyRoutines } from "../boardErrors.ts"
import { type Mutation, routineChange } from "../boardEvents.ts"
import { boardTransaction, taskTransaction } from "../boardTransaction.ts"
import { type BoardDb, BoardStore } from "../store/BoardStore.ts"
import {
  deleteRoutine,
  findRoutine,
  firstRoutine,
  listRoutines,
  type StoredRoutine,
  saveRoutine
} from "../store/routineStore.ts"
import { checkTask, makeCard, makeNextCard } from "./routineCards.ts"
import { createRoutine, patchRoutine, sentRoutine } from "./routineRules.ts"

/** The clock may be put forward meanwhile, and events of another console may be late. */
const LOOK_EVERY_MS = 60_000
/** After the store couldn't be used. */
const LOOK_AGAIN_MS = 2000

export interface RoutinesShape {
  /** By name. */
  readonly list: Effect.Effect<ReadonlyArray<Routine>, StoreError>
  readonly create: (input: CreateRoutine) => Effect.Effect<Routine, InvalidLink | TooManyRoutines | StoreError>
  /** Changes the version the caller has seen. */
  readonly patch: (
    id: string,
    patch: PatchRoutine
  ) => Effect.Effect<Routine, RoutineNotFound | RoutineConflict | InvalidLink | StoreError>
  readonly remove: (id: string) => Effect.Effect<void, RoutineNotFound | StoreError>
  /** Makes a card now, apart from the schedule. */
  readonly run: (id: string) => Effect.Effect<Task, RoutineNotFound | StoreError>
}

const stored = Effect.fnUntraced(function* (db: BoardDb, id: string) {
  return (yield* findRoutine(db, id)) ?? (yield* new RoutineNotFound({ id }))
})

const saved = Effect.fnUntraced(function* (db: BoardDb, routine: StoredRoutine) {
  yield* saveRoutine(db, routine)
  const mutation: Mutation<Routine> = { value: sentRoutine(routine), changes: [routineChange(routine.id)], runs: [] }
  return mutation
})

/** Recurring cards: keeps them, and makes each card at its time. */
export class Routines extends Context.Service<Routines, RoutinesShape>()("agent-console/services/board/Routines") {
  static readonly layer = Layer.effect(
    Routines,
    Effect.gen(function* () {
      const store = yield* BoardStore
      const events = yield* EventBus
      const mutate = yield* boardTransaction
      const mutateTask = yield* taskTransaction
      const changed = yield* Queue.sliding<void>(1)
      const changes = yield* events.subscribe

      yield* PubSub.take(changes).pipe(
        Effect.flatMap((event) =>
          event.event === "kanban.changed" && event.data.kind === "routine"
            ? Queue.offer(changed, undefined)
            : Effect.void
        ),
        Effect.forever,
        Effect.forkScoped
      )

      /** Makes what is due, one card in one transaction; the milliseconds until the next one. */
      const makeDue: Effect.Effect<number, StoreError> = Effect.gen(function* () {
        // Without a routine there's nothing to write.
        if ((yield* store.read(firstRoutine)) === undefined) return LOOK_EVERY_MS
        let wait = 0
        while (wait === 0) wait = yield* mutate(makeNextCard)
        return Math.min(wait, LOOK_EVERY_MS)
      })

      yield* makeDue.pipe(
        Effect.matchEffect({
          onSuccess: (wait) => Effect.raceFirst(Queue.take(changed), Effect.sleep(wait)),
          onFailure: ({ message, reason }) =>
            Effect.andThen(
              reason === "unavailable" ? Effect.void : Effect.logWarning(`Couldn't make recurring cards: ${message}`),
              Effect.sleep(LOOK_AGAIN_MS)
            )
        }),
        Effect.forever,
        Effect.forkScoped
      )

      return Routines.of({
        list: store.read((db) => Effect.map(listRoutines(db), (routines) => routines.map(sentRoutine))),
        create: (input) =>
          mutate(
            Effect.fnUntraced(function* (context) {
              const { db, newId, now } = context
              yield* checkTask(context, input.task)
              if ((yield* listRoutines(db)).length >= MAX_ROUTINES)
                return yield* new TooManyRoutines({ max: MAX_ROUTINES })
              return yield* saved(db, createRoutine(input, { id: newId(), now, zone: ownZone() }))
            })
          ),
        patch: (id, patch) =>
          mutate(
            Effect.fnUntraced(function* (context) {
              const before = yield* stored(context.db, id)
              const routine = yield* Effect.fromResult(patchRoutine(before, patch, context.now))
              yield* checkTask(context, routine.task, before.task)
              return yield* saved(context.db, routine)
            })
          ),
        remove: (id) =>
          mutate(
            Effect.fnUntraced(function* ({ db }) {
              yield* stored(db, id)
              yield* deleteRoutine(db, id)
              return { value: undefined, changes: [routineChange(id)], runs: [] }
            })
          ),
        run: (id) =>
          mutateTask(
            Effect.fnUntraced(function* (context) {
              return yield* makeCard(context, yield* stored(context.db, id), context.now)
            })
          )
      })
    })
  )
}
