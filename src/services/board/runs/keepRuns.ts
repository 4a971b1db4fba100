import { Effect, type Scope } from "effect"
import type { StoreError } from "../../platform/sqlite/Sqlite.ts"
import type { ClaimedRun } from "./claimRuns.ts"
import type { RunLeases } from "./RunLeases.ts"
import type { RunOrder } from "./runOrder.ts"

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
