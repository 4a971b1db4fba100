import { delimiter, resolve, sep } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Clock, Effect, Exit, Layer, Option, Schedule } from "effect"
import { FetchHttpClient } from "effect/http"
import { loadSettingsOf } from "../layers/Config.ts"
import { Updates } from "../layers/Updates.ts"
import { type FailedStep, UpdateReport } from "../services/machine/update/UpdateReport.ts"
import { type UpdateOptions, type UpdateOutcome, Updater } from "../services/machine/update/Updater.ts"
import { UpdateTarget } from "../services/machine/update/UpdateTarget.ts"
import { localAddress } from "../services/platform/settings/startRules.ts"
import { askYesNo, canAsk } from "./ask.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { packageRoot } from "./commandSettings.ts"
import { type ExitCode, exitCodes } from "./exitCodes.ts"
import { allowUnboundedShutdown } from "./runMain.ts"

const CLEAR_LINE = "\r\u001b[2K"
const COLOURS = { green: "\u001b[32m", red: "\u001b[31m", yellow: "\u001b[33m" }
const PLAIN = "\u001b[0m"

/** Milliseconds in a readable form. */
export const elapsed = (milliseconds: number): string => {
  const tenths = Math.round(milliseconds / 100)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

export interface Screen {
  readonly write: (text: string) => void
  /** A terminal gets colours and a running clock; everything else gets plain lines. */
  readonly isTerminal: boolean
  readonly hasColour: boolean
}

/** Prints an update's progress: each step with its duration, and with `verbose` every command. */
export const updateReport = (screen: Screen, verbose: boolean) =>
  Layer.sync(UpdateReport, () => {
    const isLive = screen.isTerminal && !verbose
    let running = ""
    const line = (text: string) =>
      Effect.sync(() => screen.write(`${running === "" ? "" : CLEAR_LINE}${text}\n${running}`))
    const coloured = (colour: keyof typeof COLOURS, text: string) =>
      screen.hasColour ? `${COLOURS[colour]}${text}${PLAIN}` : text

    const clockwork = (title: string, began: number) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        running = `… ${title} (${Math.round((now - began) / 1000)} s)`
        screen.write(`${CLEAR_LINE}${running}`)
      }).pipe(
        Effect.repeat(Schedule.spaced("1 second")),
        Effect.ensuring(
          Effect.sync(() => {
            running = ""
            screen.write(CLEAR_LINE)
          })
        )
      )

    return UpdateReport.of({
      say: line,
      warn: (text) => line(coloured("yellow", `! ${text}`)),
      detail: (text) => (verbose ? line(text) : Effect.void),
      confirm: (question) => (canAsk() ? askYesNo(question) : Effect.undefined),
      step: (title, effect) =>
        Effect.gen(function* () {
          const began = yield* Clock.currentTimeMillis
          if (!isLive) yield* line(`  ${title} …`)
          const exit = yield* isLive
            ? Effect.scoped(Effect.andThen(Effect.forkScoped(clockwork(title, began)), Effect.exit(effect)))
            : Effect.exit(effect)
          const took = elapsed((yield* Clock.currentTimeMillis) - began)
          yield* line(
            Exit.isSuccess(exit)
              ? `${coloured("green", "✓")} ${title} (${took})`
              : `${coloured("red", "✗")} ${title} (${took})`
          )
          return yield* exit
        })
    })
  })

/** This process's terminal. Losing it halfway doesn't stop the update. */
export const ownScreen = (): Screen => {
  process.stdout.on("error", () => undefined)
  process.stderr.on("error", () => undefined)
  const isTerminal = process.stdout.isTTY === true
  return {
    write: (text) => process.stdout.write(text),
    isTerminal,
    hasColour: isTerminal && process.env.NO_COLOR === undefined
  }
}

const CODES: Readonly<Record<FailedStep, ExitCode>> = {
  preflight: exitCodes.updatePreflight,
  resolution: exitCodes.updateResolution,
  build: exitCodes.updateBuild,
  restart: exitCodes.updateRestart,
  health: exitCodes.updateHealth,
  rollback: exitCodes.updateRollback,
  lock: exitCodes.updateLock,
  declined: exitCodes.interrupted
}

const withoutOwnPrograms = (path: string | undefined, directory: string): string | undefined =>
  path
    ?.split(delimiter)
    .filter((entry) => !resolve(entry).startsWith(`${directory}${sep}node_modules${sep}`))
    .join(delimiter)

const end = (outcome: UpdateOutcome) =>
  outcome === "done" ? Effect.void : Effect.fail(new CommandFailure({ message: "", exitCode: exitCodes.upToDate }))

/** Updates the checkout in a folder; exits with one of the codes in `exitCodes.ts`. */
export const updateIn = Effect.fn("update")(
  function* (directory: string, options: UpdateOptions & { readonly verbose: boolean }) {
    yield* allowUnboundedShutdown
    const settings = yield* loadSettingsOf(directory)
    const target = Layer.succeed(UpdateTarget, {
      directory,
      svcHome: settings.svcHome,
      address: localAddress(settings),
      path: withoutOwnPrograms(process.env.PATH, directory),
      releasesUrl: settings.releasesUrl,
      allowedSigners: settings.updateAllowedSigners
    })
    const outcome = yield* Effect.flatMap(Updater, (updater) => updater.run(options)).pipe(
      Effect.provide(
        Updates.pipe(
          Layer.provide(target),
          Layer.provide(updateReport(ownScreen(), options.verbose)),
          Layer.provide(FetchHttpClient.layer),
          Layer.provide(NodeServices.layer)
        )
      )
    )
    yield* end(outcome)
  },
  Effect.catchTags({
    SettingsError: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.updatePreflight }),
    UpdateFailure: ({ step, message }) => new CommandFailure({ message, exitCode: CODES[step] })
  })
)

/** `agent-console update`: updates the checkout this program runs from. */
export const update = ({
  version,
  noRestart,
  ...flags
}: {
  readonly version: Option.Option<string>
  readonly yes: boolean
  readonly dryRun: boolean
  readonly verbose: boolean
  readonly rollback: boolean
  readonly noRestart: boolean
}) => updateIn(packageRoot, { ...flags, version: Option.getOrUndefined(version), restart: !noRestart })
