import { Context, Effect, Layer, Option, SemVer } from "effect"
import { type ManagedService, ServiceManager } from "../service-manager/ServiceManager.ts"
import { Checkout } from "./Checkout.ts"
import { Preflight } from "./Preflight.ts"
import { listed } from "./preflightRules.ts"
import { isAtLeast } from "./Releases.ts"
import { RemoteRepository } from "./RemoteRepository.ts"
import { makeResolveTarget } from "./resolveTarget.ts"
import { type Place, type Snapshot, UpdateFiles } from "./UpdateFiles.ts"
import { UpdateJournal, UpdateLog } from "./UpdateJournal.ts"
import { UpdateLock } from "./UpdateLock.ts"
import { failedAt, UpdateFailure, UpdateReport } from "./UpdateReport.ts"
import { keptAs, UpdateTarget } from "./UpdateTarget.ts"
import { rollbackPlan, updatePlan } from "./updatePlan.ts"
import { type CutOff, makeRepair, makeWayBack } from "./updateRecovery.ts"
import { makeUpdateSteps } from "./updateSteps.ts"
import { VersionSwap } from "./VersionSwap.ts"
import { makeVerifyTarget } from "./verifyTarget.ts"

export interface UpdateOptions {
  /** The version to install, with or without the `v`; the latest if omitted. */
  readonly version: string | undefined
  /** Skips the confirmation. */
  readonly yes: boolean
  /** Only shows what would happen. */
  readonly dryRun: boolean
  /** Goes back to the previous version. */
  readonly rollback: boolean
  /** Whether the service is restarted and checked afterwards. */
  readonly restart: boolean
}

/** How a successful update ended. */
export type UpdateOutcome = "done" | "upToDate"

export interface UpdaterShape {
  readonly run: (options: UpdateOptions) => Effect.Effect<UpdateOutcome, UpdateFailure>
}

/** Moves the checkout to another version, and back if anything goes wrong. */
export class Updater extends Context.Service<Updater, UpdaterShape>()("agent-console/services/machine/update/Updater") {
  static readonly layer = Layer.effect(
    Updater,
    Effect.gen(function* () {
      const checkout = yield* Checkout
      const files = yield* UpdateFiles
      const journal = yield* UpdateJournal
      const lock = yield* UpdateLock
      const log = yield* UpdateLog
      const preflight = yield* Preflight
      const report = yield* UpdateReport
      const repository = yield* RemoteRepository
      const services = yield* ServiceManager
      const swap = yield* VersionSwap
      const { directory } = yield* UpdateTarget
      const resolve = yield* makeResolveTarget
      const verify = yield* makeVerifyTarget
      const steps = yield* makeUpdateSteps
      const repair = yield* makeRepair(steps)
      const { orGoBack, orStay, reportDotEnv } = yield* makeWayBack(steps)

      const confirm = Effect.fnUntraced(function* (options: UpdateOptions, question: string) {
        if (options.yes) return
        const answer = yield* report.confirm(question)
        if (answer === undefined) {
          return yield* new UpdateFailure({
            step: "preflight",
            message: "there's no terminal to confirm on: pass --yes to go ahead without confirmation"
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

      const inPlace: Effect.Effect<Place, UpdateFailure> = Effect.gen(function* () {
        const { commit, branch } = yield* checkout.head
        return { ref: commit, branch, version: yield* checkout.version }
      }).pipe(Effect.mapError(failedAt("preflight")))

      const refuseOverwriting = Effect.fnUntraced(function* (to: Place, isUnknown: boolean) {
        const all = yield* checkout.inTheWay(to.ref).pipe(Effect.mapError(failedAt("preflight")))
        // An interrupted checkout leaves files of its own; settings always belong to the user.
        const inTheWay = isUnknown ? all.filter((path) => path === ".env") : all
        if (inTheWay.length === 0) return
        return yield* new UpdateFailure({
          step: "preflight",
          message: `${to.version} would overwrite files that aren't part of the checkout: ${listed(inTheWay)}. Move them away first`
        })
      })

      /** Preparing takes minutes, and people may work in the checkout meanwhile. */
      const refuseWhatChanged = Effect.fnUntraced(function* (from: Place, to: Place, isUnknown: boolean) {
        const { ref } = yield* inPlace
        if (ref !== from.ref) {
          return yield* new UpdateFailure({
            step: "preflight",
            message: "another commit was checked out meanwhile, so nothing was changed: try again when that's done"
          })
        }
        if (!isUnknown) yield* preflight.checkChanges
        yield* refuseOverwriting(to, isUnknown)
      })

      const update = Effect.fn("Updater.update")(function* (
        options: UpdateOptions,
        service: Option.Option<ManagedService>,
        cutOff: Option.Option<CutOff>
      ) {
        const isUnknown = Option.exists(cutOff, (one) => one.isUnknown)
        // A dry run doesn't touch a half-finished change.
        const half = options.dryRun ? Option.flatMap(cutOff, (one) => one.half) : Option.none<Place>()
        const afterUnfinished = isUnknown || Option.isSome(half)
        yield* report.step("Checking the machine", preflight.check({ afterUnfinished, installs: true }))
        const target = yield* report.step("Looking for the version", resolve(options.version))
        const from = Option.isSome(half) ? half.value : yield* inPlace
        const before = isUnknown ? Option.flatMap(cutOff, (one) => one.snapshot) : Option.none<Snapshot>()
        const { version } = Option.getOrElse(before, () => from)
        const isCurrent =
          options.version === undefined
            ? isAtLeast(version, SemVer.parseUnsafe(target.version))
            : version === target.version
        if (isCurrent && !isUnknown) {
          yield* report.say(
            `${version} is already installed${options.version === undefined ? " and is the latest version" : ""}.`
          )
          return "upToDate" as const
        }
        yield* report.say(`${version} → ${target.version} (${target.source})`)
        if (Option.isNone(service)) {
          yield* report.say(
            options.restart
              ? "This console doesn't run as a service: restart it yourself afterwards."
              : "The console won't be restarted: do that yourself afterwards."
          )
        }
        const branch = yield* report.step("Checking where it's from", verify(target, from))
        if (options.dryRun) {
          yield* Effect.forEach(updatePlan({ from, target, branch, service }), (line) => report.say(line))
          return "done" as const
        }
        yield* confirm(options, `Update to ${target.version}?`)
        yield* repository.keepTag(target.tag, target.object).pipe(Effect.mapError(failedAt("resolution")))
        const to: Place = { ref: target.commit, branch: null, version: target.version }
        yield* refuseOverwriting(to, isUnknown)
        const snapshot = yield* checkout.reserveRoom.pipe(
          Effect.andThen(files.takeSnapshot(Option.getOrElse(before, () => from))),
          Effect.tap((saved) =>
            journal.begin({
              kind: "update",
              from: version,
              to: to.version,
              snapshot: saved,
              phase: "starting",
              isWhole: !isUnknown
            })
          ),
          Effect.tapError(() => checkout.giveRoomBack),
          Effect.mapError(failedAt("preflight"))
        )
        const change = steps
          .prepare(to)
          .pipe(
            Effect.andThen(refuseWhatChanged(from, to, isUnknown)),
            Effect.andThen(steps.putInPlace(from, to, steps.prepared))
          )
        yield* orGoBack({ change, start: steps.start(to.version, service), from, snapshot, isUnknown, service })
        yield* report.say(`${to.version} is installed.`)
        return "done" as const
      })

      const rollBack = Effect.fn("Updater.rollBack")(function* (
        options: UpdateOptions,
        service: Option.Option<ManagedService>,
        cutOff: Option.Option<CutOff>
      ) {
        const isUnknown = Option.exists(cutOff, (one) => one.isUnknown)
        const wayBack = Option.flatMap(cutOff, (one) => one.snapshot)
        const snapshot = Option.isSome(wayBack) ? wayBack : yield* files.lastGood
        const isKept = Option.isSome(snapshot) ? yield* swap.hasKept(snapshot.value.ref) : false
        const afterUnfinished = isUnknown || (options.dryRun && Option.exists(cutOff, (one) => Option.isSome(one.half)))
        yield* report.step("Checking the machine", preflight.check({ afterUnfinished, installs: !isKept }))
        if (Option.isNone(snapshot)) {
          return yield* new UpdateFailure({
            step: "rollback",
            message: "there's no previous version to go back to: this checkout hasn't been updated yet"
          })
        }
        const to = snapshot.value
        const from = yield* inPlace
        if (from.ref === to.ref && !isUnknown) {
          const problem = Option.flatMap(cutOff, (one) => one.problem)
          if (Option.isSome(problem)) return yield* problem.value
          if (Option.isSome(cutOff)) {
            yield* report.say(`Back on ${to.version}.`)
            return "done" as const
          }
          yield* report.say(`${to.version} is already installed: there's nothing to roll back.`)
          return "upToDate" as const
        }
        yield* report.say(`${from.version} → ${to.version} (the previous version)`)
        if (!isKept) {
          yield* report.warn(
            `The packages and build of ${to.version} weren't kept. They'll be installed and built again, which needs the network and takes a few minutes.`
          )
        }
        if (options.dryRun) {
          yield* Effect.forEach(rollbackPlan({ from, snapshot: to, service, isKept }), (line) => report.say(line))
          return "done" as const
        }
        yield* confirm(options, `Go back to ${to.version}?`)
        yield* refuseOverwriting(to, isUnknown)
        const before = yield* files.takeSnapshot(from).pipe(
          Effect.tap(() =>
            journal.begin({
              kind: "rollback",
              from: from.version,
              to: to.version,
              snapshot: to,
              phase: "starting",
              isWhole: !isUnknown
            })
          ),
          Effect.mapError(failedAt("rollback"))
        )
        const change = (isKept ? Effect.void : steps.prepare(to)).pipe(
          Effect.andThen(refuseWhatChanged(from, to, isUnknown)),
          Effect.andThen(steps.putInPlace(from, to, isKept ? keptAs(to.ref) : steps.prepared))
        )
        yield* orStay({ change, from, isUnknown })
        yield* reportDotEnv(before)
        yield* steps.startAgain(to.version, service).pipe(
          Effect.tapError(({ message }) => journal.end("rollback-failed", message)),
          Effect.mapError(({ message }) =>
            failedAt("rollback")({ message: `${to.version} is in place again, but ${message}` })
          )
        )
        yield* journal.end("succeeded")
        yield* report.say(`Back on ${to.version}.`)
        return "done" as const
      })

      const run = Effect.fn("Updater.run")(function* (options: UpdateOptions) {
        if (!options.dryRun) yield* lock.hold
        if (!options.dryRun) yield* log.begin
        const service = yield* findService(options)
        const cutOff = yield* repair({ dryRun: options.dryRun, service })
        return yield* options.rollback ? rollBack(options, service, cutOff) : update(options, service, cutOff)
      }, Effect.scoped)

      return Updater.of({ run })
    })
  )
}
