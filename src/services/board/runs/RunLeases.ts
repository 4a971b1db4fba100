import { Effect } from "effect"
import type { StoreError } from "../../platform/sqlite/Sqlite.ts"
import { type Mutation, quiet } from "../boardEvents.ts"
import type { MutationContext } from "../boardMutations.ts"
import type { BoardStoreShape } from "../store/BoardStore.ts"
import { type ConsoleName, leaseMs } from "../store/ConsoleName.ts"
import { dueRuns, giveBackLeases, holdsLease, keepLeases, noteGateway } from "../store/leaseRows.ts"
import { type ClaimedRun, claimRuns } from "./claimRuns.ts"
import type { RunOrder } from "./runOrder.ts"

/** Which runs of a board that several consoles share are this console's; a lease is kept by saying so in time. */
export interface RunLeases {
  /** This process. */
  readonly owner: string
  /** How often to say that it's alive. */
  readonly beatMs: number
  /** Says that this console is alive; gives those it held that aren't its own any more. */
  readonly keep: (held: ReadonlyArray<RunOrder>) => Effect.Effect<ReadonlyArray<RunOrder>, StoreError>
  /** Takes over runs of consoles that are gone; with `isStart`, also its own from before a restart. */
  readonly claim: (isStart: boolean) => Effect.Effect<ReadonlyArray<ClaimedRun>, StoreError>
  /** Whether a run is still active and this console's. */
  readonly holds: (order: RunOrder) => Effect.Effect<boolean, StoreError>
  /** This console's gateway turned out to know a run from elsewhere. */
  readonly adopt: (order: RunOrder) => Effect.Effect<void, StoreError>
  /** Lets others carry on this console's runs at once. */
  readonly giveBack: Effect.Effect<void>
}

interface Access {
  readonly mutate: <A, E>(
    body: (context: MutationContext) => Effect.Effect<Mutation<A>, E>
  ) => Effect.Effect<A, E | StoreError>
  readonly read: BoardStoreShape["read"]
}

export const makeLeases = (self: ConsoleName, { mutate, read }: Access): RunLeases => ({
  owner: self.owner,
  beatMs: leaseMs(self) / 3,
  keep: (held) => mutate(({ db }) => Effect.map(keepLeases(db, self, held), quiet)),
  claim: Effect.fnUntraced(function* (isStart) {
    // Mostly there's nothing, and finding that out doesn't hold up the writers.
    const due = yield* read((db) => dueRuns(db, self, isStart))
    return due.length === 0 ? [] : yield* mutate((context) => claimRuns(context, self, isStart))
  }),
  holds: (order) => read((db) => holdsLease(db, order)),
  adopt: ({ sessionKey }) => mutate(({ db }) => Effect.map(noteGateway(db, sessionKey, self), quiet)),
  giveBack: Effect.ignore(mutate(({ db }) => Effect.map(giveBackLeases(db, self), quiet)))
})
