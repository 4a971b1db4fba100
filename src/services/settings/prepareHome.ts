import { posix } from "node:path"
import { Effect, FileSystem, type PlatformError, Schema } from "effect"

/** The service's own directory cannot be used; `message` says which and what to do. */
export class HomeError extends Schema.TaggedError<HomeError>()("HomeError", { message: Schema.String }) {}

const OWNER_ONLY = 0o700

const whyNot = (error: PlatformError.PlatformError): string => {
  switch (error.reason._tag) {
    case "PermissionDenied":
      return "this user has no right to write there"
    case "AlreadyExists":
    case "BadResource":
      return "a file stands in its place"
    case "NotFound":
      return "it cannot be made there"
    default:
      return "the file system refuses it (full, or mounted read-only?)"
  }
}

/** Node's own recursive call never comes back where the system answers "no such directory" to making one in it. */
const makeWithParents = (fs: FileSystem.FileSystem, path: string): Effect.Effect<void, PlatformError.PlatformError> => {
  const make = fs.makeDirectory(path, { mode: OWNER_ONLY })
  return make.pipe(
    Effect.catchReason("PlatformError", "NotFound", (_reason, error) => {
      const parent = posix.dirname(path)
      return parent === path ? Effect.fail(error) : Effect.andThen(makeWithParents(fs, parent), make)
    }),
    Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.void)
  )
}

const makeUsable = Effect.fn("prepareHome")(function* (svcHome: string) {
  const fs = yield* FileSystem.FileSystem
  yield* makeWithParents(fs, svcHome)
  const info = yield* fs.stat(svcHome)
  if ((info.mode & 0o777) !== OWNER_ONLY) yield* fs.chmod(svcHome, OWNER_ONLY)
  yield* Effect.scoped(fs.makeTempFileScoped({ directory: svcHome, prefix: ".write-test-" }))
})

/**
 * Makes the service's own directory when it is missing, closes it to everyone else and makes sure that it can be
 * written (D1). `homeDir` is the user's home, which the sentence shows as `~`.
 */
export const prepareHome = (svcHome: string, homeDir: string) =>
  makeUsable(svcHome).pipe(
    Effect.mapError((error) => {
      const shown = svcHome.startsWith(`${homeDir}/`) ? `~${svcHome.slice(homeDir.length)}` : svcHome
      return new HomeError({
        message: `the directory ${shown} cannot be used: ${whyNot(error)}. Set SVC_HOME to a directory of this user`
      })
    })
  )
