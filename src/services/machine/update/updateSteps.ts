import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { HttpClientResponse } from "effect/http"
import { outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import type { ManagedService } from "../service-manager/ServiceManager.ts"
import { Staging } from "./Staging.ts"
import { CHECKING, type Place, RESTARTING } from "./UpdateFiles.ts"
import { UpdateJournal, UpdateLog } from "./UpdateJournal.ts"
import { type FailedStep, UpdateFailure, UpdateReport } from "./UpdateReport.ts"
import { PREPARED, UpdateTarget, updatePlaces } from "./UpdateTarget.ts"
import { VersionSwap } from "./VersionSwap.ts"

/** The console isn't healthy; `message` says what it did instead. */
export class NotHealthy extends Schema.TaggedError<NotHealthy>()("NotHealthy", { message: Schema.String }) {}

interface HealthProbeShape {
  /** The version of the running console, if `/health` answers 2xx. Each request takes 5 seconds at most. */
  readonly runningVersion: Effect.Effect<string, NotHealthy>
}

const LIMIT = "5 seconds"

const Version = Schema.Struct({ version: Schema.String })

/** Checks the running console once. */
export class HealthProbe extends Context.Service<HealthProbe, HealthProbeShape>()(
  "agent-console/services/machine/update/HealthProbe"
) {
  static readonly layer = Layer.effect(
    HealthProbe,
    Effect.gen(function* () {
      const { address } = yield* UpdateTarget
      const client = yield* outgoingHttp

      const answer = Effect.fnUntraced(function* (path: string) {
        const response = yield* client.get(`${address}${path}`)
        if (response.status >= 200 && response.status < 300) return response
        yield* Effect.ignore(response.text)
        return yield* new NotHealthy({ message: `${path} answered with status ${response.status}` })
      })

      const ask = <A, E>(path: string, use: (response: HttpClientResponse.HttpClientResponse) => Effect.Effect<A, E>) =>
        answer(path).pipe(
          Effect.flatMap(use),
          Effect.timeout(LIMIT),
          Effect.mapError((error) =>
            error instanceof NotHealthy
              ? error
              : new NotHealthy({ message: `${address}${path} didn't answer as expected` })
          )
        )

      return HealthProbe.of({
        runningVersion: ask("/health", (response) => response.text).pipe(
          Effect.andThen(ask("/api/version", HttpClientResponse.schemaBodyJson(Version))),
          Effect.map(({ version }) => version)
        )
      })
    })
  )
}

const MOST = 10
/** If no line names an error, the end says the most. */
const MOST_WITHOUT_MARK = 5

// biome rejects a literal escape character in an expression.
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g")

const NOISE: ReadonlyArray<RegExp> = [
  // Stack frames, and the fields of the error.
  /^(?:npm (?:error|ERR!))?\s+at .*(?:\)|:\d+)(?: \{)?$/,
  /^(?:npm (?:error|ERR!))?\s+(?:code|errno|syscall|address|port|type|path|dest|hostname): .*$/,
  /^(?:npm (?:error|ERR!))?\s*\}?$/,
  /^\s+errors: \[Getter\/Setter\]$/,
  /^Node\.js v\d/,
  /^npm (?:error|ERR!) A complete log of this run/,
  /^npm (?:warn|WARN|notice)\b/,
  // Build progress: steps, and every file with its size.
  /^(?:\u2713|\u2717|vite v\d|transforming|rendering chunks|computing gzip|> )/,
  /^\S+\s+[\d.,]+\s*[kM]?B\b/
]

const MARKS: ReadonlyArray<RegExp> = [
  /^npm (?:error|ERR!)/,
  /^(?:fatal|error)\b/i,
  /(?:^|[\s[(])(?:[A-Z]\w*)?error(?: [A-Z]+\d+)?:/i,
  /\b(?:ENOSPC|ENOMEM|EACCES|EPERM|EROFS|ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET|EINTEGRITY)\b/,
  /\bout of memory\b|^Killed$/i
]

/**
 * The lines in which a failed program says what went wrong, without progress output and internals; `folders` are
 * removed from paths, longest first.
 */
export const errorLines = (output: string, folders: ReadonlyArray<string>): ReadonlyArray<string> => {
  const lines = folders
    .reduce((text, folder) => text.replaceAll(`${folder}/`, ""), output.replace(COLOURS, ""))
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => !NOISE.some((noise) => noise.test(line)))
  const first = lines.findIndex((line) => MARKS.some((mark) => mark.test(line)))
  return first === -1 ? lines.slice(-MOST_WITHOUT_MARK) : lines.slice(first, first + MOST)
}

/** How long to wait for a restarted console. */
export const HealthPatience = Context.Reference<{
  /** Pauses between checks; the last one repeats. */
  readonly pauses: ReadonlyArray<Duration.Input>
  readonly deadline: Duration.Input
}>("agent-console/services/machine/update/HealthPatience", {
  defaultValue: () => ({ pauses: ["2 seconds", "4 seconds", "8 seconds"], deadline: "60 seconds" })
})

/** The steps of an update; each one is reported and recorded. */
export const makeUpdateSteps = Effect.gen(function* () {
  const { directory } = yield* UpdateTarget
  const staging = yield* Staging
  const swap = yield* VersionSwap
  const probe = yield* HealthProbe
  const journal = yield* UpdateJournal
  const log = yield* UpdateLog
  const report = yield* UpdateReport
  const patience = yield* HealthPatience

  /** Show what a failed program said went wrong. */
  const explained = (step: FailedStep) => (failure: { readonly message: string; readonly output: string }) =>
    Effect.gen(function* () {
      const lines = errorLines(failure.output, [updatePlaces(directory).next, directory])
      yield* Effect.forEach(lines, (line) => report.say(`    ${line}`), { discard: true })
      if (lines.length > 0) yield* report.say(`    The full output is in ${log.name}`)
      return yield* new UpdateFailure({ step, message: failure.message })
    })

  const step = <A, E>(phase: string, title: string, effect: Effect.Effect<A, E>) =>
    Effect.andThen(journal.phase(phase), report.step(title, effect))

  const pauseAt = (look: number): Duration.Duration =>
    Duration.fromInputUnsafe(patience.pauses[Math.min(look, patience.pauses.length - 1)] ?? 0)

  /** Checks until the console answers; stops at once if it reports another version. */
  const verify = Effect.fn("verify")(function* (version: string) {
    const end = (yield* Clock.currentTimeMillis) + Duration.toMillis(patience.deadline)
    for (let look = 0; ; look++) {
      const running = yield* Effect.result(probe.runningVersion)
      if (running._tag === "Success") {
        if (running.success === version) return
        return yield* new UpdateFailure({
          step: "health",
          message: `the running console reports version ${running.success}, not ${version}`
        })
      }
      const left = end - (yield* Clock.currentTimeMillis)
      if (left <= 0) {
        const seconds = Math.round(Duration.toSeconds(patience.deadline))
        return yield* new UpdateFailure({
          step: "health",
          message: `the console didn't become healthy within ${seconds} seconds: ${running.failure.message}`
        })
      }
      yield* Effect.sleep(Duration.min(pauseAt(look), Duration.millis(left)))
    }
  })

  /** Installs and builds a version next to the one in place, without touching it. */
  const prepare = Effect.fn("prepare")(
    function* ({ ref, version }: Place) {
      if (yield* staging.isReady(ref)) {
        yield* report.say(`${version} was already installed and built by the interrupted run.`)
        // The machine's Node may be another one by now.
        return yield* step("checking that it starts", "Checking that it starts", staging.tryOut)
      }
      yield* step("laying out its files", `Laying out ${version} (${ref.slice(0, 7)})`, staging.checkOut(ref))
      yield* step("installing packages", "Installing packages", staging.install)
      yield* step("building", "Building the web app and the server", staging.build)
      yield* step("checking that it starts", "Checking that it starts", staging.tryOut)
      yield* staging.finish(ref)
    },
    Effect.catch(explained("build"))
  )

  /** Puts a version in place whose parts are complete in a folder inside the update folder. */
  const putInPlace = (from: Place, to: Place, incoming: string) =>
    step("putting it in place", `Putting ${to.version} in place`, swap.bring({ from, to, incoming })).pipe(
      Effect.catch(explained("build"))
    )

  const restart = ({ label, restart }: ManagedService) =>
    step(RESTARTING, `Restarting ${label}`, restart).pipe(
      Effect.mapError(({ message }) => new UpdateFailure({ step: "restart", message }))
    )

  const check = (version: string) => step(CHECKING, "Checking the console's health", verify(version))

  /** Restarts the version in place and checks that it's healthy. */
  const start = Effect.fn("start")(function* (version: string, service: Option.Option<ManagedService>) {
    if (Option.isNone(service)) return
    yield* restart(service.value)
    yield* check(version)
  })

  /** The same for a previous version. */
  const startAgain = Effect.fn("startAgain")(
    function* (version: string, service: Option.Option<ManagedService>) {
      if (Option.isNone(service)) return
      // A failed restart may have left the old console running, which is fine.
      yield* Effect.catch(restart(service.value), ({ message }) => report.warn(message))
      yield* check(version)
    },
    Effect.mapError(({ message }) => new UpdateFailure({ step: "rollback", message }))
  )

  /** Restores the version the current swap was replacing. */
  const undo = ({ version }: Place) =>
    step("going back", `Putting ${version} back in place`, swap.undo).pipe(Effect.catch(explained("rollback")))

  return { prepare, putInPlace, start, startAgain, undo, prepared: PREPARED }
})
