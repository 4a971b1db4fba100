import { delimiter, resolve, sep } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, Option } from "effect"
import { FetchHttpClient } from "effect/http"
import { loadSettingsOf } from "../layers/Config.ts"
import { Updates } from "../layers/Updates.ts"
import type { FailedStep } from "../services/machine/update/UpdateFailure.ts"
import { type UpdateOptions, type UpdateOutcome, Updater } from "../services/machine/update/Updater.ts"
import { UpdateTarget } from "../services/machine/update/UpdateTarget.ts"
import { localAddress } from "../services/platform/settings/localAddress.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { packageRoot } from "./commandSettings.ts"
import { type ExitCode, exitCodes } from "./exitCodes.ts"
import { allowUnboundedShutdown } from "./runMain.ts"
import { ownScreen, updateReport } from "./updateReport.ts"

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
