import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import type { StoreError } from "../platform/sqlite/Sqlite.ts"
import { actorFor, PersonName } from "./BoardPerson.ts"
import { loadConfig } from "./boardConfig.ts"
import type { Mutation } from "./boardEvents.ts"
import type { MutationContext } from "./boardMutations.ts"
import { BoardStore } from "./store/BoardStore.ts"

/** Runs a change of the board in one durable transaction, and publishes what it did. */
export type BoardTransaction = <A, E>(
  body: (context: MutationContext) => Effect.Effect<Mutation<A>, E>
) => Effect.Effect<A, E | StoreError>

/** Transactions on the board's store, in the name of the console's user. */
export const boardTransaction = Effect.gen(function* () {
  const store = yield* BoardStore
  const person = yield* PersonName
  const self = store.shared?.self
  const transaction: BoardTransaction = (body) =>
    Effect.flatMap(actorFor(person), (by) =>
      store.mutate((db, now) =>
        Effect.flatMap(loadConfig(db), (config) => body({ db, now, config, newId: () => randomUUID(), self, by }))
      )
    )
  return transaction
})
