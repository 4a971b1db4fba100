import { Clock, Effect, Result, type Scope } from "effect"
import type { StoreError } from "../../platform/sqlite/Sqlite.ts"
import { type Mutation, type RunOrder, withoutEvents } from "../boardEvents.ts"
import { changeTask, type MutationContext } from "../boardMutations.ts"
import { type BoardStoreShape, type ConsoleName, leaseMs } from "../store/BoardStore.ts"
import { claimLease, dueRuns, giveBackLeases, holdsLease, keepLeases, noteGateway } from "../store/leaseRows.ts"
import { selectRuns } from "../store/runStore.ts"
import { takeOverRun } from "../tasks/taskRules.ts"

/** A run that this console continues from now on. */
interface ClaimedRun {
  /** Its start by this console's clock. */
  readonly order: RunOrder
  /** It ran on another gateway, which this console may not reach. */
  readonly isFromElsewhere: boolean
}

/** Claims the runs whose console no longer holds them. */
const claimRuns = Effect.fnUntraced(function* (
  context: MutationContext,
  name: ConsoleName,
  isStart: boolean
): Effect.fn.Return<Mutation<ReadonlyArray<ClaimedRun>>, StoreError> {
  const { db, now } = context
  const claimed: Array<ClaimedRun> = []
  let changes: Mutation<unknown>["changes"] = []
  for (const due of yield* dueRuns(db, name, isStart)) {
    const fence = yield* claimLease(db, due.session_key, name)
    const [order] = yield* selectRuns(db, "r.session_key = ?", due.session_key)
    if (order === undefined) continue
    const taken = yield* changeTask(context, order.taskId, ({ content }) =>
      Result.succeed(takeOverRun(content, name, now))
    ).pipe(Effect.catchTag("TaskNotFound", () => Effect.succeed(withoutEvents(undefined))))
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

/** Which runs of a board that several consoles share are this console's; a lease lasts as long as it is renewed in time. */
export interface RunLeases {
  /** This process. */
  readonly owner: string
  /** The time between two renewals. */
  readonly beatMs: number
  /** Renews the leases; returns the held runs that it has lost. */
  readonly keep: (held: ReadonlyArray<RunOrder>) => Effect.Effect<ReadonlyArray<RunOrder>, StoreError>
  /** Claims runs of consoles whose lease has expired; with `isStart`, also its own from before a restart. */
  readonly claim: (isStart: boolean) => Effect.Effect<ReadonlyArray<ClaimedRun>, StoreError>
  /** Whether a run is still active and this console's. */
  readonly holds: (order: RunOrder) => Effect.Effect<boolean, StoreError>
  /** Records that this console's gateway knows a run from another console. */
  readonly adopt: (order: RunOrder) => Effect.Effect<void, StoreError>
  /** Releases this console's runs to others at once. */
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
  keep: (held) => mutate(({ db }) => Effect.map(keepLeases(db, self, held), withoutEvents)),
  claim: Effect.fnUntraced(function* (isStart) {
    // There is usually none, and a read doesn't block the writers.
    const due = yield* read((db) => dueRuns(db, self, isStart))
    return due.length === 0 ? [] : yield* mutate((context) => claimRuns(context, self, isStart))
  }),
  holds: (order) => read((db) => holdsLease(db, order)),
  adopt: ({ sessionKey }) => mutate(({ db }) => Effect.map(noteGateway(db, sessionKey, self), withoutEvents)),
  giveBack: Effect.ignore(mutate(({ db }) => Effect.map(giveBackLeases(db, self), withoutEvents)))
})

/** The retry delay while the database is unavailable, because the lease keeps running. */
const SOONER_MS = 2000

interface KeptRuns {
  readonly leases: RunLeases
  readonly held: () => ReadonlyArray<RunOrder>
  readonly takeOver: (run: ClaimedRun) => Effect.Effect<unknown>
  readonly giveUp: (run: RunOrder) => Effect.Effect<unknown>
  readonly stopOwed: Effect.Effect<void, StoreError>
}

/** Keeps this console's leases and claims expired runs of others; releases its own at the end. */
export const keepRuns = ({
  giveUp,
  held,
  leases,
  stopOwed,
  takeOver
}: KeptRuns): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    let isStart = true

    const beat = Effect.gen(function* () {
      for (const run of yield* leases.keep(held())) yield* giveUp(run)
      for (const run of yield* leases.claim(isStart)) yield* takeOver(run)
      isStart = false
      yield* stopOwed
    })

    yield* Effect.addFinalizer(() => leases.giveBack)
    yield* beat.pipe(
      Effect.matchEffect({
        onSuccess: () => Effect.sleep(leases.beatMs),
        onFailure: () => Effect.sleep(Math.min(SOONER_MS, leases.beatMs))
      }),
      Effect.forever,
      Effect.forkScoped
    )
  })
