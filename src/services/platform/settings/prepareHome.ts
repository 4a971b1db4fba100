import { posix } from "node:path"
import { Effect, FileSystem, Option, type PlatformError, Schema } from "effect"
import { putBack } from "./putBack.ts"

/** The console's own folder can't be used; `message` names it and says what to do. */
export class HomeError extends Schema.TaggedError<HomeError>()("HomeError", { message: Schema.String }) {}

const OWNER_ONLY = 0o700
const PERMISSION_BITS = 0o777

/** Why others may look into a folder although it should be the user's alone. */
export type OpenFolder = "anothers" | "withoutModes"

/** The folder as people write it. */
export const shownHome = (svcHome: string, homeDir: string): string =>
  svcHome.startsWith(`${homeDir}/`) ? `~${svcHome.slice(homeDir.length)}` : svcHome

const ELSEWHERE = "Set SVC_HOME to a folder this user owns"

const quoted = (path: string): string => (/^[\w/.@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

const whyNot = (error: PlatformError.PlatformError): string => {
  switch (error.reason._tag) {
    case "PermissionDenied":
      return `this user isn't allowed to write there. ${ELSEWHERE}`
    case "AlreadyExists":
    case "BadResource":
      return `there's a file in its place. ${ELSEWHERE}`
    case "NotFound":
      return `it can't be created there. ${ELSEWHERE}`
    default:
      return `the file system rejects it (check whether it's full or read-only). ${ELSEWHERE}`
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

const modeOf = (info: FileSystem.File.Info): number => info.mode & PERMISSION_BITS

/**
 * Folders that were handed to this user, such as a volume with a group of its own or a network share, can be written
 * to but not closed to others.
 */
const closeToOthers = Effect.fnUntraced(function* (svcHome: string) {
  const fs = yield* FileSystem.FileSystem
  // With the slash, a file in its place is refused before its mode is changed.
  const info = yield* fs.stat(`${svcHome}/`)
  if (modeOf(info) === OWNER_ONLY) return undefined
  const owner = Option.getOrUndefined(info.uid)
  const user = process.getuid?.()
  const isOwn = owner === undefined || user === undefined || owner === user
  yield* Effect.ignore(fs.chmod(svcHome, OWNER_ONLY))
  if (modeOf(yield* fs.stat(svcHome)) === OWNER_ONLY) return undefined
  return isOwn ? ("withoutModes" as const) : ("anothers" as const)
})

const makeUsable = Effect.fn("prepareHome")(function* (svcHome: string) {
  const fs = yield* FileSystem.FileSystem
  yield* putBack(svcHome)
  yield* makeWithParents(fs, svcHome)
  const open: OpenFolder | undefined = yield* closeToOthers(svcHome)
  yield* fs.access(svcHome, { writable: true })
  return open
})

/** For a folder that somebody else made for this user, but without letting them write to it, as in containers. */
const foreignFolder = Effect.fnUntraced(function* (svcHome: string, error: PlatformError.PlatformError) {
  const user = process.getuid?.()
  if (error.reason._tag !== "PermissionDenied" || user === undefined) return undefined
  const info = yield* Effect.flatMap(FileSystem.FileSystem, (fs) => fs.stat(svcHome)).pipe(Effect.option)
  const owner = Option.flatMap(info, ({ uid }) => uid)
  if (Option.isNone(owner) || owner.value === user) return undefined
  const group = process.getgid?.() ?? user
  return (
    `it belongs to user ${owner.value}, and this user, ${user}, isn't allowed to write there. Run ` +
    `\`chown -R ${user}:${group} ${quoted(svcHome)}\` as root (in a container, on the folder that is mounted there), or ` +
    `set SVC_HOME to a folder that user ${user} owns`
  )
})

/**
 * Creates the console's own folder if it's missing (or puts it back after a restore that was cut off), closes it to others and checks that it's writable. Says why it's
 * open to others if it can't be closed. `homeDir` is the user's home, shown as `~` in the message.
 */
export const prepareHome = (svcHome: string, homeDir: string) =>
  makeUsable(svcHome).pipe(
    Effect.catch((error) =>
      Effect.flatMap(foreignFolder(svcHome, error), (why) =>
        Effect.fail(
          new HomeError({ message: `can't use the folder ${shownHome(svcHome, homeDir)}: ${why ?? whyNot(error)}` })
        )
      )
    )
  )
