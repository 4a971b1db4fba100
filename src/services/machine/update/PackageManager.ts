import { Context, Effect, Layer } from "effect"
import { type CommandFailed, Commands } from "./Commands.ts"
import { UpdateTarget } from "./UpdateTarget.ts"

export interface PackageManagerShape {
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
