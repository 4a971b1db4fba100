import { Clock, Effect, Result, type Scope } from "effect"
import type { StoreError } from "../../platform/sqlite/Sqlite.ts"
import { type Mutation, quiet, type RunOrder } from "../boardEvents.ts"
import { changeTask, type MutationContext } from "../boardMutations.ts"
import { type BoardStoreShape, type ConsoleName, leaseMs } from "../store/BoardStore.ts"
import { dueRuns, giveBackLeases, holdsLease, keepLeases, noteGateway, takeLease } from "../store/leaseRows.ts"
import { selectRuns } from "../store/runStore.ts"
import { takeOverRun } from "../tasks/taskRules.ts"

/** A run that this console carries on from now on. */
interface ClaimedRun {
  /** Its start by this console's clock. */
  readonly order: RunOrder
  /** It ran on another gateway, which this console may not reach. */
  readonly isFromElsewhere: boolean
}

/** Takes over the runs that nobody carries on any more. */
const claimRuns = Effect.fnUntraced(function* (
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

/** The database is away, and the lease goes on ending. */
const SOONER_MS = 2000

interface KeptRuns {
  readonly leases: RunLeases
  readonly held: () => ReadonlyArray<RunOrder>
  readonly takeOver: (run: ClaimedRun) => Effect.Effect<unknown>
  readonly giveUp: (run: RunOrder) => Effect.Effect<unknown>
  readonly stopOwed: Effect.Effect<void, StoreError>
}

/** Keeps this console's leases and takes over the runs of consoles that are gone; gives its own back at the end. */
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
