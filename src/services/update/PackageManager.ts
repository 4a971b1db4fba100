import { posix } from "node:path"
import { Context, Effect, FileSystem, Layer } from "effect"
import { CommandFailed, Commands } from "./Commands.ts"
import { UpdateTarget } from "./UpdateTarget.ts"

export interface PackageManagerShape {
  /** Version of npm. */
  readonly version: Effect.Effect<string, CommandFailed>
  /** Installs exactly what the lock file names, with what the build needs. */
  readonly install: Effect.Effect<void, CommandFailed>
  /** Builds front end and server. */
  readonly build: Effect.Effect<void, CommandFailed>
  /** Removes every installed dependency. */
  readonly removeInstalled: Effect.Effect<void, CommandFailed>
}

const ASK_LIMIT = "30 seconds"
const INSTALL_LIMIT = "20 minutes"
const BUILD_LIMIT = "20 minutes"

/** npm in the checkout. */
export class PackageManager extends Context.Service<PackageManager, PackageManagerShape>()(
  "agent-console/services/update/PackageManager"
) {
  static readonly layer = Layer.effect(
    PackageManager,
    Effect.gen(function* () {
      const { directory } = yield* UpdateTarget
      const commands = yield* Commands
      const fs = yield* FileSystem.FileSystem
      const npm = (args: ReadonlyArray<string>, timeLimit: typeof ASK_LIMIT | typeof INSTALL_LIMIT) =>
        commands.run({ program: "npm", args, directory, timeLimit })

      return PackageManager.of({
        version: Effect.map(npm(["--version"], ASK_LIMIT), (text) => text.trim()),
        install: Effect.asVoid(npm(["ci", "--include=dev", "--no-audit", "--no-fund"], INSTALL_LIMIT)),
        build: Effect.asVoid(npm(["run", "build"], BUILD_LIMIT)),
        removeInstalled: fs.remove(posix.join(directory, "node_modules"), { recursive: true, force: true }).pipe(
          Effect.mapError(
            () =>
              new CommandFailed({
                message: "node_modules cannot be removed: does part of it belong to someone else?",
                output: ""
              })
          )
        )
      })
    })
  )
}
