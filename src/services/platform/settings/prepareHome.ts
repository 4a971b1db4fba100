import { posix } from "node:path"
import { Effect, FileSystem, type PlatformError, Schema } from "effect"

/** The console's own folder can't be used; `message` names it and says what to do. */
export class HomeError extends Schema.TaggedError<HomeError>()("HomeError", { message: Schema.String }) {}

const OWNER_ONLY = 0o700

const whyNot = (error: PlatformError.PlatformError): string => {
  switch (error.reason._tag) {
    case "PermissionDenied":
      return "this user isn't allowed to write there"
    case "AlreadyExists":
    case "BadResource":
      return "there's a file in its place"
    case "NotFound":
      return "it can't be created there"
    default:
      return "the file system rejects it (check whether it's full or read-only)"
  }
}

/** Node's own recursive call never returns if the system answers "no such directory" to creating one in it. */
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
  // With the slash, a file in its place is refused before its mode is changed.
  const info = yield* fs.stat(`${svcHome}/`)
  if ((info.mode & 0o777) !== OWNER_ONLY) yield* fs.chmod(svcHome, OWNER_ONLY)
  yield* fs.access(svcHome, { writable: true })
})

/**
 * Creates the console's own folder if it's missing, makes it private and checks that it's writable. `homeDir` is the
 * user's home, shown as `~` in the message.
 */
export const prepareHome = (svcHome: string, homeDir: string) =>
  makeUsable(svcHome).pipe(
    Effect.mapError((error) => {
      const shown = svcHome.startsWith(`${homeDir}/`) ? `~${svcHome.slice(homeDir.length)}` : svcHome
      return new HomeError({
        message: `can't use the folder ${shown}: ${whyNot(error)}. Set SVC_HOME to a folder this user owns`
      })
    })
  )
