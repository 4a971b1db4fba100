import { Cause, Effect, Exit, Fiber, Option } from "effect"
import type { ManagedService } from "../service-manager/ServiceManager.ts"
import { Checkout } from "./Checkout.ts"
import { Staging } from "./Staging.ts"
import { failedAt, UpdateFailure } from "./UpdateFailure.ts"
import { UpdateFiles } from "./UpdateFiles.ts"
import { UpdateJournal } from "./UpdateJournal.ts"
import { UpdateReport } from "./UpdateReport.ts"
import type { Place, Snapshot } from "./updateState.ts"
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

    const tellDotEnv = (snapshot: Snapshot) =>
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
      if (Option.isSome(half)) yield* steps.takeBack(half.value.from)
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
            yield* tellDotEnv(snapshot)
            return
          }
          const why = sentenceOf(exit.cause)
          if (Option.isNone(yield* swap.current) && !isUnknown) {
            yield* undisturbed(Effect.ignore(clearUp))
            yield* tellDotEnv(snapshot)
            yield* journal.end("failed", why)
            yield* report.say(`${snapshot.version} wasn't touched: everything is as before.`)
            return yield* Effect.failCause(exit.cause)
          }
          yield* report.warn(`Going back to ${snapshot.version} because ${why}`)
          const back = yield* Effect.exit(undisturbed(goBack(Exit.isSuccess(changed))))
          yield* tellDotEnv(snapshot)
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

    return { orGoBack, orStay, tellDotEnv }
  })
