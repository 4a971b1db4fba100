import { Clock, Context, Duration, Effect, Option } from "effect"
import type { ManagedService } from "../service-manager/ServiceManager.ts"
import { Checkout } from "./Checkout.ts"
import type { CommandFailed } from "./Commands.ts"
import { HealthProbe } from "./HealthProbe.ts"
import { PackageManager } from "./PackageManager.ts"
import { type FailedStep, UpdateFailure } from "./UpdateFailure.ts"
import { UpdateJournal } from "./UpdateJournal.ts"
import { UpdateReport } from "./UpdateReport.ts"
import type { Snapshot } from "./updateState.ts"

/** How long a restarted console is waited for (SPEC "Update command"). */
export const HealthPatience = Context.Reference<{
  /** Pauses between looks; the last one goes on. */
  readonly pauses: ReadonlyArray<Duration.Input>
  readonly deadline: Duration.Input
}>("agent-console/services/update/HealthPatience", {
  defaultValue: () => ({ pauses: ["2 seconds", "4 seconds", "8 seconds"], deadline: "60 seconds" })
})

/** What an update does to the machine, step by step; each step is told and noted. */
export const makeUpdateSteps = Effect.gen(function* () {
  const checkout = yield* Checkout
  const packages = yield* PackageManager
  const probe = yield* HealthProbe
  const journal = yield* UpdateJournal
  const report = yield* UpdateReport
  const patience = yield* HealthPatience

  /** A failed program shows the end of what it printed. */
  const explained = (step: FailedStep) => (failure: CommandFailed) =>
    Effect.forEach(
      failure.output.split("\n").filter((line) => line.trim() !== ""),
      (line) => report.say(`    ${line}`)
    ).pipe(Effect.andThen(Effect.fail(new UpdateFailure({ step, message: failure.message }))))

  const step = <A, E>(phase: string, title: string, effect: Effect.Effect<A, E>) =>
    Effect.andThen(journal.phase(phase), report.step(title, effect))

  const pauseAt = (look: number): Duration.Duration =>
    Duration.fromInputUnsafe(patience.pauses[Math.min(look, patience.pauses.length - 1)] ?? 0)

  /** Looks until the console answers; another version than the wanted one ends it at once. */
  const verify = Effect.fn("verify")(function* (version: string) {
    const end = (yield* Clock.currentTimeMillis) + Duration.toMillis(patience.deadline)
    for (let look = 0; ; look++) {
      const running = yield* Effect.result(probe.runningVersion)
      if (running._tag === "Success") {
        if (running.success === version) return
        return yield* new UpdateFailure({
          step: "health",
          message: `the console that runs says it is ${running.success}, not ${version}`
        })
      }
      const left = end - (yield* Clock.currentTimeMillis)
      if (left <= 0) {
        const seconds = Math.round(Duration.toSeconds(patience.deadline))
        return yield* new UpdateFailure({
          step: "health",
          message: `the console was not healthy within ${seconds} seconds: ${running.failure.message}`
        })
      }
      yield* Effect.sleep(Duration.min(pauseAt(look), Duration.millis(left)))
    }
  })

  const installAndBuild = step("installing packages", "Installing packages", packages.install).pipe(
    Effect.andThen(step("building", "Building the web app and the server", packages.build)),
    Effect.catch(explained("build"))
  )

  const checkOut = (name: string, at: Pick<Snapshot, "ref" | "branch">) =>
    step("checking out files", `Checking out ${name}`, checkout.checkOut(at)).pipe(Effect.catch(explained("build")))

  /** Puts a version in place and sees that it runs. */
  const bring = Effect.fn("bring")(function* (to: {
    readonly tag: string
    readonly version: string
    readonly commit: string
    readonly service: Option.Option<ManagedService>
  }) {
    yield* checkOut(to.tag, { ref: to.commit, branch: null })
    yield* installAndBuild
    if (Option.isNone(to.service)) return
    yield* step("restarting the service", `Restarting ${to.service.value.label}`, to.service.value.restart).pipe(
      Effect.mapError(({ message }) => new UpdateFailure({ step: "restart", message }))
    )
    yield* step("checking its health", "Waiting for a healthy answer", verify(to.version))
  })

  /** Puts a snapshot's version back in place, with packages installed anew, and sees that it runs. */
  const goBack = Effect.fn("goBack")(
    function* (to: Snapshot, service: Option.Option<ManagedService>) {
      yield* checkout.giveRoomBack
      yield* checkOut(`${to.version} (${to.ref.slice(0, 7)})`, to)
      yield* packages.removeInstalled.pipe(Effect.catch(explained("rollback")))
      yield* installAndBuild
      if (Option.isNone(service)) return
      // A refused restart may have left the old console running, and then all is well.
      yield* step("restarting the service", `Restarting ${service.value.label}`, service.value.restart).pipe(
        Effect.catch(({ message }) => report.warn(message))
      )
      yield* step("checking its health", "Waiting for a healthy answer", verify(to.version))
    },
    Effect.mapError(({ message }) => new UpdateFailure({ step: "rollback", message }))
  )

  return { bring, goBack }
})
