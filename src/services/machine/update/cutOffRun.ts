import { DateTime, Effect, Option } from "effect"
import type { ManagedService } from "../service-manager/ServiceManager.ts"
import { Checkout } from "./Checkout.ts"
import { Processes } from "./Processes.ts"
import type { UpdateFailure } from "./UpdateFailure.ts"
import { UpdateFiles } from "./UpdateFiles.ts"
import { UpdateReport } from "./UpdateReport.ts"
import {
  hadOnlyToBeRecorded,
  hasRestarted,
  isUnfinished,
  type LastRun,
  type Place,
  type Snapshot
} from "./updateState.ts"
import type { makeUpdateSteps } from "./updateSteps.ts"
import { VersionSwap } from "./VersionSwap.ts"

/** What was left by a run that was killed or couldn't roll back. */
export interface CutOff {
  /** The version to go back to. */
  readonly snapshot: Option.Option<Snapshot>
  /** Whether the checkout's contents are unknown: an older updater changed it step by step. */
  readonly isUnknown: boolean
  /** The version in the checkout once the half-finished swap is undone; none if there is none. */
  readonly half: Option.Option<Place>
  /** Why the console isn't healthy although everything is back. */
  readonly problem: Option.Option<UpdateFailure>
}

const toldOf = (
  run: LastRun & { readonly snapshot: Snapshot },
  { half, isUnknown, isDone }: { half: Option.Option<Place>; isUnknown: boolean; isDone: boolean }
) => {
  const what = `The ${run.kind} to ${run.to} of ${DateTime.formatIso(DateTime.makeUnsafe(run.startedAt))}`
  const how = run.outcome === "running" ? `was interrupted while ${run.phase}.` : "failed, and so did its rollback."
  if (isDone) return `${what} was interrupted after everything was done.`
  if (Option.isSome(half)) return `${what} ${how} Going back to ${half.value.version} first.`
  if (isUnknown) return `${what} ${how} Continuing from there; a rollback goes to ${run.snapshot.version}.`
  return hasRestarted(run) ? `${what} ${how}` : `${what} ${how} It hadn't changed anything.`
}

/** Repairs what an interrupted run left, before another one begins. */
export const makeTakeOver = (steps: Effect.Success<typeof makeUpdateSteps>) =>
  Effect.gen(function* () {
    const checkout = yield* Checkout
    const files = yield* UpdateFiles
    const processes = yield* Processes
    const report = yield* UpdateReport
    const swap = yield* VersionSwap

    const startAgain = (service: Option.Option<ManagedService>) =>
      checkout.version.pipe(
        Effect.orElseSucceed(() => ""),
        Effect.flatMap((version) => steps.startAgain(version, service)),
        Effect.flip,
        Effect.tap(({ message }) => report.warn(message)),
        Effect.option
      )

    return Effect.fn("takeOver")(function* (options: {
      readonly dryRun: boolean
      readonly service: Option.Option<ManagedService>
    }) {
      const last = Option.filter(yield* files.lastRun, isUnfinished)
      const half = Option.map(yield* swap.current, ({ from }) => from)
      if (Option.isNone(last) && Option.isNone(half)) return Option.none<CutOff>()
      const isUnknown = Option.exists(last, ({ isWhole }) => isWhole !== true)
      const version = yield* Effect.orElseSucceed(checkout.version, () => "")
      // Nothing is left to take back, and the new version is in place.
      const isDone = Option.isNone(half) && Option.exists(last, (run) => hadOnlyToBeRecorded(run) && run.to === version)
      yield* report.warn(
        Option.match(last, {
          onNone: () => "An update was interrupted. Going back first.",
          onSome: (run) => toldOf(run, { half, isUnknown, isDone })
        })
      )
      const found: CutOff = {
        snapshot: Option.map(last, ({ snapshot }) => snapshot),
        isUnknown,
        half,
        problem: Option.none()
      }
      if (options.dryRun) return Option.some(found)
      const worker = Option.flatMapNullishOr(last, (run) => run.worker)
      if (Option.isSome(worker)) yield* processes.endGroup(worker.value)
      yield* checkout.removeStaleLock
      if (Option.isSome(half)) yield* steps.takeBack(half.value)
      if (isUnknown || Option.isNone(last)) return Option.some(found)
      const problem = hasRestarted(last.value) ? yield* startAgain(options.service) : Option.none<UpdateFailure>()
      if (Option.isNone(problem))
        yield* Effect.ignore(
          files.saveLastRun({ ...last.value, outcome: isDone ? "succeeded" : "rolled-back", worker: null })
        )
      return Option.some<CutOff>({ ...found, problem })
    })
  })
