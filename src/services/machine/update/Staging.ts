import { posix } from "node:path"
import { Context, Effect, FileSystem, Layer, Option, type Path, Schema } from "effect"
import { writeFileAtomic } from "../../platform/storage/atomicFile.ts"
import { Checkout } from "./Checkout.ts"
import { CommandFailed, Commands } from "./Commands.ts"
import { UpdateTarget, updatePlaces } from "./UpdateTarget.ts"

interface PackageManagerShape {
  /** Version of npm. */
  readonly version: Effect.Effect<string, CommandFailed>
  /**
   * Installs exactly what a folder's lock file lists, including what the build needs and the Node that comes with it,
   * which npm only fetches when packages may run their scripts.
   */
  readonly install: (directory: string) => Effect.Effect<void, CommandFailed>
  /** Builds a folder's web app and server. */
  readonly build: (directory: string) => Effect.Effect<void, CommandFailed>
  /** Size of a folder's installed packages in bytes; 0 if unknown. */
  readonly installedBytes: (directory: string) => Effect.Effect<number>
}

const ASK_LIMIT = "30 seconds"
const INSTALL_LIMIT = "20 minutes"
const BUILD_LIMIT = "20 minutes"

/** The user's own npm. */
export class PackageManager extends Context.Service<PackageManager, PackageManagerShape>()(
  "agent-console/services/machine/update/PackageManager"
) {
  static readonly layer = Layer.effect(
    PackageManager,
    Effect.gen(function* () {
      const target = yield* UpdateTarget
      const commands = yield* Commands
      const npm = (
        args: ReadonlyArray<string>,
        directory: string,
        timeLimit: typeof ASK_LIMIT | typeof INSTALL_LIMIT
      ) => commands.run({ program: "npm", args, directory, timeLimit, needs: ["npm", "network"] })

      return PackageManager.of({
        version: Effect.map(npm(["--version"], target.directory, ASK_LIMIT), (text) => text.trim()),
        install: (directory) =>
          Effect.asVoid(
            npm(["ci", "--include=dev", "--ignore-scripts=false", "--no-audit", "--no-fund"], directory, INSTALL_LIMIT)
          ),
        build: (directory) => Effect.asVoid(npm(["run", "build"], directory, BUILD_LIMIT)),
        installedBytes: (directory) =>
          commands.run({ program: "du", args: ["-sk", "node_modules"], directory, timeLimit: ASK_LIMIT }).pipe(
            Effect.map((text) => (Number.parseInt(text, 10) || 0) * 1024),
            Effect.orElseSucceed(() => 0)
          )
      })
    })
  )
}

export interface StagingShape {
  /** Whether this commit's version is here, installed and built, left by a run that was interrupted later. */
  readonly isReady: (commit: string) => Effect.Effect<boolean>
  /** Checks out a commit next to the version in place, replacing any earlier preparation. */
  readonly checkOut: (commit: string) => Effect.Effect<void, CommandFailed>
  /** Installs its packages. */
  readonly install: Effect.Effect<void, CommandFailed>
  /** Builds it. */
  readonly build: Effect.Effect<void, CommandFailed>
  /** Starts it for a moment, as this machine would: on the `node` in PATH, or the one that the packages bring. */
  readonly tryOut: Effect.Effect<void, CommandFailed>
  /** Marks it as complete. */
  readonly finish: (commit: string) => Effect.Effect<void, CommandFailed>
  readonly discard: Effect.Effect<void>
}

const Ready = Schema.Struct({ commit: Schema.String })
const decodeReady = Schema.decodeUnknownOption(Schema.fromJsonString(Ready))

const PROGRAM = "dist/cli.js"

const TRY_LIMIT = "1 minute"

const refuse = (message: string) => new CommandFailed({ message, output: "" })

/** The folder in which a version is prepared while another one runs. */
export class Staging extends Context.Service<Staging, StagingShape>()("agent-console/services/machine/update/Staging") {
  static readonly layer = Layer.effect(
    Staging,
    Effect.gen(function* () {
      const { directory } = yield* UpdateTarget
      const checkout = yield* Checkout
      const packages = yield* PackageManager
      const commands = yield* Commands
      const fs = yield* FileSystem.FileSystem
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const { folder, ignore, next, ready } = updatePlaces(directory)

      const unwritable = () =>
        refuse("couldn't write to the .update folder in the checkout: check whether the disk is full")
      const discard = Effect.ignore(fs.remove(ready, { force: true })).pipe(
        Effect.andThen(checkout.removeBeside(next)),
        Effect.andThen(Effect.ignore(fs.remove(next, { recursive: true, force: true })))
      )

      const checkOut = Effect.fn("Staging.checkOut")(function* (commit: string) {
        yield* discard
        yield* fs
          .makeDirectory(folder, { recursive: true })
          .pipe(Effect.andThen(fs.writeFileString(ignore, "*\n")), Effect.mapError(unwritable))
        yield* checkout.checkOutBeside(next, commit)
      })

      const build = packages.build(next).pipe(
        Effect.andThen(Effect.orElseSucceed(fs.exists(posix.join(next, PROGRAM)), () => false)),
        Effect.filterOrFail(
          (isBuilt) => isBuilt,
          () => refuse(`the build didn't produce ${PROGRAM}`)
        ),
        Effect.asVoid
      )

      const startOn = (program: string) =>
        commands.run({ program, args: [PROGRAM, "--version"], directory: next, timeLimit: TRY_LIMIT }).pipe(
          Effect.mapError(
            ({ message, output }) =>
              new CommandFailed({ message: `the new version doesn't start on this machine: ${message}`, output })
          ),
          Effect.asVoid
        )

      /** A service may be run by the Node among the packages, whatever PATH has. */
      const checkoutNode = process.execPath.startsWith(`${directory}/`)
        ? posix.join(next, posix.relative(directory, process.execPath))
        : undefined

      const tryOut = commands.run({ program: "node", args: ["--version"], timeLimit: TRY_LIMIT }).pipe(
        Effect.as("node"),
        Effect.orElseSucceed(() => checkoutNode ?? process.execPath),
        Effect.flatMap(startOn),
        Effect.andThen(checkoutNode === undefined ? Effect.void : startOn(checkoutNode))
      )

      return Staging.of({
        isReady: (commit) =>
          fs.readFileString(ready).pipe(
            Effect.map((text) => Option.exists(decodeReady(text), (one) => one.commit === commit)),
            Effect.orElseSucceed(() => false)
          ),
        checkOut,
        install: packages.install(next),
        build,
        tryOut,
        finish: (commit) =>
          writeFileAtomic(ready, `${JSON.stringify({ commit })}\n`).pipe(
            Effect.provideContext(platform),
            Effect.mapError(unwritable)
          ),
        discard
      })
    })
  )
}
