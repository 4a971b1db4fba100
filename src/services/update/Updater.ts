import { Cause, Context, DateTime, Effect, Exit, Fiber, Layer, Option, SemVer } from "effect"
import { type ManagedService, ServiceManager } from "../service-manager/ServiceManager.ts"
import { Checkout } from "./Checkout.ts"
import { Preflight } from "./Preflight.ts"
import { Processes } from "./Processes.ts"
import { listed } from "./preflightRules.ts"
import { isAtLeast } from "./releaseRules.ts"
import { makeResolveTarget, type Target } from "./resolveTarget.ts"
import { failedAt, UpdateFailure } from "./UpdateFailure.ts"
import { UpdateFiles } from "./UpdateFiles.ts"
import { UpdateJournal } from "./UpdateJournal.ts"
import { UpdateLock } from "./UpdateLock.ts"
import { UpdateReport } from "./UpdateReport.ts"
import { UpdateTarget } from "./UpdateTarget.ts"
import { rollbackPlan, updatePlan } from "./updatePlan.ts"
import { isUnfinished, type Snapshot } from "./updateState.ts"
import { makeUpdateSteps } from "./updateSteps.ts"

export interface UpdateOptions {
  /** Version to go to, with or without the `v`; the latest one without it. */
  readonly version: string | undefined
  /** Asks nothing. */
  readonly yes: boolean
  /** Only says what would be done. */
  readonly dryRun: boolean
  /** Goes back to the version before the last update. */
  readonly rollback: boolean
  /** Whether the service is restarted and looked at afterwards. */
  readonly restart: boolean
}

/** How an update ended that did not fail. */
export type UpdateOutcome = "done" | "upToDate"

export interface UpdaterShape {
  readonly run: (options: UpdateOptions) => Effect.Effect<UpdateOutcome, UpdateFailure>
}

const sentenceOf = (cause: Cause.Cause<UpdateFailure>): string =>
  Option.match(Cause.findErrorOption(cause), {
    onNone: () => (Cause.hasInterruptsOnly(cause) ? "it was interrupted" : "of an internal error"),
    onSome: ({ message }) => message
  })

/** Brings the checkout to another version, and back when anything goes wrong (SPEC "Update command"). */
export class Updater extends Context.Service<Updater, UpdaterShape>()("agent-console/services/update/Updater") {
  static readonly layer = Layer.effect(
    Updater,
    Effect.gen(function* () {
      const checkout = yield* Checkout
      const files = yield* UpdateFiles
      const journal = yield* UpdateJournal
      const lock = yield* UpdateLock
      const preflight = yield* Preflight
      const processes = yield* Processes
      const report = yield* UpdateReport
      const services = yield* ServiceManager
      const { directory } = yield* UpdateTarget
      const resolve = yield* makeResolveTarget
      const { bring, goBack } = yield* makeUpdateSteps

      const confirm = Effect.fnUntraced(function* (options: UpdateOptions, question: string) {
        if (options.yes) return
        const answer = yield* report.confirm(question)
        if (answer === undefined) {
          return yield* new UpdateFailure({
            step: "preflight",
            message: "there is no terminal to ask on: pass --yes to go ahead without a question"
          })
        }
        if (!answer) return yield* new UpdateFailure({ step: "declined", message: "nothing was changed" })
      })

      const findService = Effect.fnUntraced(function* (options: UpdateOptions) {
        if (!options.restart) return Option.none<ManagedService>()
        const service = yield* services.find(directory)
        if (Option.isSome(service) && service.value.problem !== undefined) {
          return yield* new UpdateFailure({ step: "preflight", message: service.value.problem })
        }
        return service
      })

      /** What a run that was cut off left: its snapshot stays the way back. */
      const takeOver = Effect.fnUntraced(function* (options: UpdateOptions) {
        const last = Option.filter(yield* files.lastRun, isUnfinished)
        if (Option.isNone(last)) return Option.none<Snapshot>()
        const { kind, to, phase, startedAt, outcome, worker, snapshot } = last.value
        const when = DateTime.formatIso(DateTime.makeUnsafe(startedAt))
        const what = kind === "update" ? `update to ${to}` : `rollback to ${to}`
        yield* report.warn(
          outcome === "running"
            ? `The ${what} of ${when} was cut off while ${phase}. Going on from what it left; the way back is ${snapshot.version}.`
            : `The ${what} of ${when} failed and could not go back. Going on from what it left; the way back is ${snapshot.version}.`
        )
        if (!options.dryRun) {
          if (worker !== null) yield* processes.endGroup(worker)
          yield* checkout.removeStaleLock
        }
        return Option.some(snapshot)
      })

      const tellDotEnv = (snapshot: Snapshot) =>
        Effect.flatMap(files.checkDotEnv(snapshot), (state) => {
          const copy = `the copy is in the updater folder, snapshots/${snapshot.name}`
          switch (state) {
            case "same":
              return Effect.void
            case "changed":
              return report.warn(`.env was changed by somebody else while this ran; ${copy}`)
            case "restored":
              return report.warn(".env was gone and is back as it was")
            case "missing":
              return report.warn(`.env is gone and could not be put back; ${copy}`)
          }
        })

      /** Runs changes; when they fail or are interrupted everything goes back, whatever happens meanwhile. */
      const orGoBack = (
        changes: Effect.Effect<void, UpdateFailure>,
        snapshot: Snapshot,
        service: Option.Option<ManagedService>
      ) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            const exit = yield* Effect.exit(restore(changes))
            if (Exit.isSuccess(exit)) {
              yield* checkout.giveRoomBack
              yield* journal.end("succeeded")
              yield* tellDotEnv(snapshot)
              return
            }
            const why = sentenceOf(exit.cause)
            yield* report.warn(`Going back to ${snapshot.version}, because ${why}`)
            // A fiber of its own: this one may be interrupted already, and then nothing in it could be timed.
            const back = yield* Effect.exit(
              Effect.flatMap(Effect.forkChild(Effect.interruptible(goBack(snapshot, service))), Fiber.join)
            )
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
              message: `${why}; and going back to ${snapshot.version} failed: ${andBack}. Repair that, then run \`agent-console update --rollback\``
            })
          })
        )

      const refuseOverwriting = Effect.fnUntraced(function* (target: Target, afterUnfinished: boolean) {
        const all = yield* checkout.inTheWay(target.commit).pipe(Effect.mapError(failedAt("preflight")))
        // A cut-off checkout left files of its own; settings are never anything but the user's.
        const inTheWay = afterUnfinished ? all.filter((path) => path === ".env") : all
        if (inTheWay.length === 0) return
        return yield* new UpdateFailure({
          step: "preflight",
          message: `${target.tag} would overwrite files that are not part of the checkout: ${listed(inTheWay)}. Move them away first`
        })
      })

      const update = Effect.fn("Updater.update")(function* (options: UpdateOptions, cutOff: Option.Option<Snapshot>) {
        const service = yield* findService(options)
        const afterUnfinished = Option.isSome(cutOff)
        yield* report.step("Checking the machine", preflight.check({ afterUnfinished }))
        const target = yield* report.step("Looking for the version", resolve(options.version))
        const head = yield* checkout.head.pipe(Effect.mapError(failedAt("preflight")))
        const from = Option.isSome(cutOff)
          ? cutOff.value.version
          : yield* checkout.version.pipe(Effect.mapError(failedAt("preflight")))
        const isCurrent =
          options.version === undefined ? isAtLeast(from, SemVer.parseUnsafe(target.version)) : from === target.version
        if (isCurrent && !afterUnfinished) {
          yield* report.say(
            `${from} is installed already${options.version === undefined ? ", and it is the latest" : ""}.`
          )
          return "upToDate" as const
        }
        yield* report.say(`${from} → ${target.version} (${target.source})`)
        if (Option.isNone(service)) {
          yield* report.say(
            options.restart
              ? "No service manager runs this console: restart it yourself afterwards."
              : "The console is not restarted: do that yourself afterwards."
          )
        }
        if (options.dryRun) {
          yield* Effect.forEach(updatePlan({ target, service }), (line) => report.say(line))
          return "done" as const
        }
        yield* confirm(options, `Update to ${target.version}?`)
        yield* report.step(
          "Fetching the version",
          checkout.fetchTag(target.remote, target.tag).pipe(Effect.mapError(failedAt("resolution")))
        )
        yield* refuseOverwriting(target, afterUnfinished)
        const at = { ref: head.commit, branch: head.branch, version: from }
        const snapshot = yield* checkout.reserveRoom.pipe(
          Effect.andThen(files.takeSnapshot(Option.getOrElse(cutOff, () => at))),
          Effect.tap((taken) =>
            journal.begin({ kind: "update", from, to: target.version, snapshot: taken, phase: "starting" })
          ),
          Effect.tapError(() => checkout.giveRoomBack),
          Effect.mapError(failedAt("preflight"))
        )
        yield* orGoBack(bring({ ...target, service }), snapshot, service)
        yield* report.say(`${target.version} is installed.`)
        return "done" as const
      })

      const rollBack = Effect.fn("Updater.rollBack")(function* (
        options: UpdateOptions,
        cutOff: Option.Option<Snapshot>
      ) {
        const service = yield* findService(options)
        const afterUnfinished = Option.isSome(cutOff)
        yield* report.step("Checking the machine", preflight.check({ afterUnfinished }))
        const snapshot = afterUnfinished ? cutOff : yield* files.lastGood
        if (Option.isNone(snapshot)) {
          return yield* new UpdateFailure({
            step: "rollback",
            message: "there is nothing to go back to: no update was made here yet"
          })
        }
        const to = snapshot.value
        const from = yield* checkout.version.pipe(Effect.mapError(failedAt("preflight")))
        const head = yield* checkout.head.pipe(Effect.mapError(failedAt("preflight")))
        if (head.commit === to.ref && !afterUnfinished) {
          yield* report.say(`${to.version} is installed already: there is nothing newer to go back from.`)
          return "upToDate" as const
        }
        yield* report.say(`${from} → ${to.version} (the version before the last update)`)
        if (options.dryRun) {
          yield* Effect.forEach(rollbackPlan({ snapshot: to, service }), (line) => report.say(line))
          return "done" as const
        }
        yield* confirm(options, `Go back to ${to.version}?`)
        yield* journal
          .begin({ kind: "rollback", from, to: to.version, snapshot: to, phase: "starting" })
          .pipe(Effect.mapError(failedAt("rollback")))
        yield* goBack(to, service).pipe(Effect.tapError(({ message }) => journal.end("rollback-failed", message)))
        yield* journal.end("succeeded")
        yield* tellDotEnv(to)
        yield* report.say(`Back on ${to.version}.`)
        return "done" as const
      })

      const run = Effect.fn("Updater.run")(function* (options: UpdateOptions) {
        if (!options.dryRun) yield* lock.hold
        const cutOff = yield* takeOver(options)
        return yield* options.rollback ? rollBack(options, cutOff) : update(options, cutOff)
      }, Effect.scoped)

      return Updater.of({ run })
    })
  )
}
