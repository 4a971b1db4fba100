import { Cause, DateTime, Effect, Exit, Fiber, Option } from "effect"
import type { ManagedService } from "../service-manager/ServiceManager.ts"
import { Checkout } from "./Checkout.ts"
import { Processes } from "./Processes.ts"
import { Staging } from "./Staging.ts"
import {
  hadOnlyToBeRecorded,
  hasRestarted,
  isUnfinished,
  type LastRun,
  type Place,
  type Snapshot,
  UpdateFiles
} from "./UpdateFiles.ts"
import { UpdateJournal } from "./UpdateJournal.ts"
import { failedAt, UpdateFailure, UpdateReport } from "./UpdateReport.ts"
import type { makeUpdateSteps } from "./updateSteps.ts"
import { VersionSwap } from "./VersionSwap.ts"

const sentenceOf = (cause: Cause.Cause<UpdateFailure>): string =>
  Option.match(Cause.findErrorOption(cause), {
    onNone: () => (Cause.hasInterruptsOnly(cause) ? "it was interrupted" : "of an internal error"),
    onSome: ({ message }) => message
  })

/** In its own fiber: an interrupted one can't run timeouts, which the programs here need. */
const undisturbed = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.flatMap(Effect.forkChild(Effect.interruptible(effect)), Fiber.join)

/** What a failed run does to leave a complete version in place. */
export const makeWayBack = (steps: Effect.Success<typeof makeUpdateSteps>) =>
  Effect.gen(function* () {
    const checkout = yield* Checkout
    const files = yield* UpdateFiles
    const journal = yield* UpdateJournal
    const report = yield* UpdateReport
    const staging = yield* Staging
    const swap = yield* VersionSwap

    const reportDotEnv = (snapshot: Snapshot) =>
      Effect.flatMap(files.checkDotEnv(snapshot), (state) => {
        const copy = `the copy is in the updater folder, snapshots/${snapshot.name}`
        switch (state) {
          case "same":
            return Effect.void
          case "changed":
            return report.warn(`.env was changed by someone else during the update; ${copy}`)
          case "restored":
            return report.warn(".env had disappeared and was restored")
          case "missing":
            return report.warn(`.env has disappeared and couldn't be restored; ${copy}`)
        }
      })

    /** Undoes a failed change. */
    const clearUp = Effect.gen(function* () {
      yield* checkout.giveRoomBack
      const half = yield* swap.current
      if (Option.isSome(half)) yield* steps.undo(half.value.from)
      yield* staging.discard
    })

    const settle = (keep: string | undefined) =>
      swap.settle({ keep }).pipe(
        Effect.andThen(staging.discard),
        Effect.catch(({ message }) => report.warn(message))
      )

    /** Runs an update. If any of it fails or is interrupted, everything is rolled back, whatever happens meanwhile. */
    const orGoBack = (run: {
      readonly change: Effect.Effect<void, UpdateFailure>
      readonly start: Effect.Effect<void, UpdateFailure>
      readonly from: Place
      readonly snapshot: Snapshot
      readonly isUnknown: boolean
      readonly service: Option.Option<ManagedService>
    }) => {
      const { change, start, from, snapshot, isUnknown, service } = run

      const goBack = Effect.fnUntraced(function* (isStarted: boolean) {
        yield* clearUp
        if (isUnknown) {
          yield* steps
            .prepare(snapshot)
            .pipe(
              Effect.andThen(steps.putInPlace(from, snapshot, steps.prepared)),
              Effect.mapError(failedAt("rollback"))
            )
          yield* settle(undefined)
        }
        if (isStarted || isUnknown) yield* steps.startAgain(snapshot.version, service)
      })

      return Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const changed = yield* Effect.exit(restore(change))
          const exit = Exit.isSuccess(changed) ? yield* Effect.exit(restore(start)) : changed
          if (Exit.isSuccess(exit)) {
            yield* checkout.giveRoomBack
            yield* Effect.catch(files.saveLastGood(snapshot), ({ message }) => report.warn(message))
            yield* settle(isUnknown ? undefined : from.ref)
            yield* journal.end("succeeded")
            yield* reportDotEnv(snapshot)
            return
          }
          const why = sentenceOf(exit.cause)
          if (Option.isNone(yield* swap.current) && !isUnknown) {
            yield* undisturbed(Effect.ignore(clearUp))
            yield* reportDotEnv(snapshot)
            yield* journal.end("failed", why)
            yield* report.say(`${snapshot.version} wasn't touched: everything is as before.`)
            return yield* Effect.failCause(exit.cause)
          }
          yield* report.warn(`Going back to ${snapshot.version} because ${why}`)
          const back = yield* Effect.exit(undisturbed(goBack(Exit.isSuccess(changed))))
          yield* reportDotEnv(snapshot)
          if (Exit.isSuccess(back)) {
            yield* journal.end("rolled-back", why)
            yield* report.say(`Back on ${snapshot.version}, as before.`)
            return yield* Effect.failCause(exit.cause)
          }
          const andBack = sentenceOf(back.cause)
          yield* journal.end("rollback-failed", `${why}; ${andBack}`)
          return yield* new UpdateFailure({
            step: "rollback",
            message: `${why}; and going back to ${snapshot.version} failed: ${andBack}. Fix that, then run \`agent-console update --rollback\``
          })
        })
      )
    }

    /** Runs a requested rollback. If it fails, the current version stays. */
    const orStay = (run: {
      readonly change: Effect.Effect<void, UpdateFailure>
      readonly from: Place
      readonly isUnknown: boolean
    }) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const exit = yield* Effect.exit(restore(run.change))
          if (Exit.isSuccess(exit)) return yield* settle(undefined)
          const why = sentenceOf(exit.cause)
          yield* undisturbed(clearUp)
          yield* journal.end(run.isUnknown ? "rollback-failed" : "failed", why)
          if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.failCause(exit.cause)
          return yield* new UpdateFailure({
            step: "rollback",
            message: run.isUnknown ? why : `${why}; ${run.from.version} is still in place`
          })
        })
      )

    return { orGoBack, orStay, reportDotEnv }
  })

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

const summaryOf = (
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
export const makeRepair = (steps: Effect.Success<typeof makeUpdateSteps>) =>
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

    return Effect.fn("repair")(function* (options: {
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
          onSome: (run) => summaryOf(run, { half, isUnknown, isDone })
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
      if (Option.isSome(half)) yield* steps.undo(half.value)
      if (isUnknown || Option.isNone(last)) return Option.some(found)
      const problem = hasRestarted(last.value) ? yield* startAgain(options.service) : Option.none<UpdateFailure>()
      if (Option.isNone(problem))
        yield* Effect.ignore(
          files.saveLastRun({ ...last.value, outcome: isDone ? "succeeded" : "rolled-back", worker: null })
        )
      return Option.some<CutOff>({ ...found, problem })
    })
  })
