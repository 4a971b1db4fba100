import { randomUUID } from "node:crypto"
import { Clock, Effect } from "effect"
import type { Task } from "../../contract/schema/task.ts"
import { StartHolds } from "../holds/StartHolds.ts"
import type { StoreError } from "../platform/sqlite/Sqlite.ts"
import { actorFor, PersonName } from "./BoardPerson.ts"
import { loadConfig } from "./boardConfig.ts"
import type { Mutation } from "./boardEvents.ts"
import type { MutationContext } from "./boardMutations.ts"
import { answered, answeredWithTask } from "./flow/answered.ts"
import type { StartContext } from "./flow/flowAnswers.ts"
import { type BoardDb, BoardStore } from "./store/BoardStore.ts"

type Body<A, E> = (context: MutationContext) => Effect.Effect<Mutation<A>, E>

/** Runs a change of the board in one durable transaction, and publishes what it did. */
export type BoardTransaction = <A, E>(body: Body<A, E>) => Effect.Effect<A, E | StoreError>

const transactions = Effect.gen(function* () {
  const store = yield* BoardStore
  const person = yield* PersonName
  const holds = yield* StartHolds
  const self = store.shared?.self
  return <A, E>(
    body: Body<A, E>,
    answer: (context: MutationContext, mutation: Mutation<A>) => Effect.Effect<Mutation<A>, StoreError>
  ) =>
    Effect.flatMap(Effect.all([actorFor(person), holds.conditions]), ([by, conditions]) =>
      store.mutate((db, now) =>
        Effect.flatMap(loadConfig(db), (config) => {
          const context = { db, now, config, conditions, newId: () => randomUUID(), self, by }
          return Effect.flatMap(body(context), (mutation) => answer(context, mutation))
        })
      )
    )
})

/** Transactions on the board's store, in the name of the console's user. */
export const boardTransaction = Effect.map(
  transactions,
  (change): BoardTransaction =>
    (body) =>
      change(body, answered)
)

/** The same where the answer is a card: with what other cards, the time and the console add to it. */
export const taskTransaction = Effect.map(
  transactions,
  (change) =>
    <E>(body: Body<Task, E>) =>
      change(body, answeredWithTask)
)

/** Reads the board with what decides whether cards can start. */
export const boardReading = Effect.gen(function* () {
  const store = yield* BoardStore
  const holds = yield* StartHolds
  return <A, E>(body: (db: BoardDb, context: StartContext) => Effect.Effect<A, E>) =>
    Effect.flatMap(Effect.all([Clock.currentTimeMillis, holds.conditions]), ([now, conditions]) =>
      store.read((db) => Effect.flatMap(loadConfig(db), (config) => body(db, { now, config, conditions })))
    )
})
