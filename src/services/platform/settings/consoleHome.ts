import { closeSync, existsSync, openSync } from "node:fs"
import { hostname } from "node:os"
import { posix } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Effect, FileSystem, Option, type PlatformError, Result, Schedule, Schema } from "effect"
import { putBack } from "./putBack.ts"

/** The console's own folder can't be used; `message` names it and says what to do. */
class HomeError extends Schema.TaggedError<HomeError>()("HomeError", { message: Schema.String }) {}

const OWNER_ONLY = 0o700
const PERMISSION_BITS = 0o777

/** Why a folder can't be closed to other users. */
export type OpenFolder = "anothers" | "withoutModes"

/** The folder with `~` for the user's home. */
const tildePath = (svcHome: string, homeDir: string): string =>
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

/** Node's recursive call never returns if the system answers "no such directory" when creating one. */
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

/** Returns why the folder stays open to others; some volumes and network shares can be written to but not closed. */
const closeToOthers = Effect.fnUntraced(function* (svcHome: string) {
  const fs = yield* FileSystem.FileSystem
  // The slash makes this fail for a file, whose mode then isn't changed.
  const info = yield* fs.stat(`${svcHome}/`)
  if (modeOf(info) === OWNER_ONLY) return undefined
  const owner = Option.getOrUndefined(info.uid)
  const user = process.getuid?.()
  const isOwner = owner === undefined || user === undefined || owner === user
  yield* Effect.ignore(fs.chmod(svcHome, OWNER_ONLY))
  if (modeOf(yield* fs.stat(svcHome)) === OWNER_ONLY) return undefined
  return isOwner ? ("withoutModes" as const) : ("anothers" as const)
})

const makeUsable = Effect.fn("prepareHome")(function* (svcHome: string) {
  const fs = yield* FileSystem.FileSystem
  yield* putBack(svcHome)
  yield* makeWithParents(fs, svcHome)
  const open: OpenFolder | undefined = yield* closeToOthers(svcHome)
  yield* fs.access(svcHome, { writable: true })
  return open
})

/** Explains a folder, or a file in it, that belongs to another user and isn't writable, as in containers. */
const foreign = Effect.fnUntraced(function* (svcHome: string, file?: string) {
  const user = process.getuid?.()
  if (user === undefined) return undefined
  const path = file === undefined ? svcHome : posix.join(svcHome, file)
  const info = yield* Effect.flatMap(FileSystem.FileSystem, (fs) => fs.stat(path)).pipe(Effect.option)
  const owner = Option.flatMap(info, ({ uid }) => uid)
  if (Option.isNone(owner) || owner.value === user) return undefined
  const group = process.getgid?.() ?? user
  return (
    `${file === undefined ? "it" : `${file} in it`} belongs to user ${owner.value}, and this user, ${user}, isn't allowed to write there. Run ` +
    `\`chown -R ${user}:${group} ${quoted(svcHome)}\` as root (in a container, on the folder that is mounted there), or ` +
    `set SVC_HOME to a folder that user ${user} owns`
  )
})

/**
 * Creates the console's folder if it's missing, or puts it back after a restore that was cut off, closes it to others
 * and checks that it's writable. Returns the reason if it can't be closed. `homeDir` is the user's home, `~` in the message.
 */
export const prepareHome = (svcHome: string, homeDir: string) =>
  makeUsable(svcHome).pipe(
    Effect.catch((error) =>
      Effect.gen(function* () {
        const isForeign = error._tag === "PlatformError" && error.reason._tag === "PermissionDenied"
        const why = isForeign ? yield* foreign(svcHome) : undefined
        const reason = why ?? (error._tag === "PlatformError" ? whyNot(error) : error.message)
        return yield* new HomeError({ message: `can't use the folder ${tildePath(svcHome, homeDir)}: ${reason}` })
      })
    )
  )

/** The lock of a console's folder; the operating system releases it when the process ends, even by a crash. */
const LOCK_FILE = "console.lock"

/** The process with the lock, for messages only. */
const HOLDER_FILE = "console.lock.json"

/** A console that runs with the folder. */
const Holder = Schema.Struct({
  pid: Schema.Int,
  /** The process's machine or container. */
  host: Schema.String
})
type Holder = typeof Holder.Type

const PRIVATE_FILE = 0o600
const SQLITE_BUSY = 5

/** A console that is stopping closes within a second, and its successor may already be starting. */
const PATIENCE = "2 seconds"
const LOOK_EVERY = "50 millis"

const HolderFile = Schema.fromJsonString(Holder)
const decodeHolder = Schema.decodeUnknownEffect(HolderFile)

type Refusal = "held" | "unusable"

const codeOf = (cause: unknown): unknown =>
  typeof cause === "object" && cause !== null && "errcode" in cause ? cause.errcode : undefined

/** An existing lock file is only opened by SQLite: closing another handle would release the process's lock. */
const makeFile = (path: string): void => {
  Result.try(() => closeSync(openSync(path, "wx", PRIVATE_FILE)))
}

/** Acquires the lock without waiting; closing the connection releases it. */
const acquireLock = (path: string): Result.Result<DatabaseSync, Refusal> =>
  Result.try({
    try: () => {
      makeFile(path)
      const lock = new DatabaseSync(path, { timeout: 0 })
      const begun = Result.try(() => lock.exec("BEGIN IMMEDIATE"))
      if (Result.isSuccess(begun)) return lock
      lock.close()
      throw begun.failure
    },
    catch: (cause) => (codeOf(cause) === SQLITE_BUSY ? "held" : "unusable")
  })

const readHolder = Effect.fnUntraced(function* (svcHome: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(posix.join(svcHome, HOLDER_FILE)).pipe(Effect.flatMap(decodeHolder), Effect.option)
})

/** Always creates a new file, because others may have put a link in its place. */
const writeHolder = Effect.fnUntraced(function* (svcHome: string, holder: Holder) {
  const fs = yield* FileSystem.FileSystem
  const path = posix.join(svcHome, HOLDER_FILE)
  yield* fs.remove(path, { force: true })
  yield* fs.writeFileString(path, `${JSON.stringify(holder)}\n`, { flag: "wx", mode: PRIVATE_FILE })
})

const nameOf = (holder: Option.Option<Holder>): string =>
  Option.match(holder, {
    onNone: () => "another console",
    onSome: ({ pid, host }) => `another console (process ${pid}${host === hostname() ? "" : ` on ${host}`})`
  })

/** The name of the console that runs with this folder; `undefined` if none does. */
export const homeHolder = Effect.fn("homeHolder")(function* (svcHome: string) {
  // A lock file created here by another user would lock out the console.
  if (!existsSync(posix.join(svcHome, LOCK_FILE))) return undefined
  const taken = acquireLock(posix.join(svcHome, LOCK_FILE))
  if (Result.isSuccess(taken)) {
    taken.success.close()
    return undefined
  }
  return taken.failure === "held" ? nameOf(yield* readHolder(svcHome)) : undefined
})

/**
 * Locks the folder for the life of the scope, because two consoles would overwrite each other's state. Fails after two
 * seconds if another console has the lock.
 */
export const holdHome = Effect.fn("holdHome")(function* (svcHome: string, homeDir: string) {
  const fs = yield* FileSystem.FileSystem
  const path = posix.join(svcHome, LOCK_FILE)
  const home = tildePath(svcHome, homeDir)
  const acquire = Effect.suspend(() => Effect.fromResult(acquireLock(path))).pipe(
    Effect.retry({
      schedule: Schedule.spaced(LOOK_EVERY).pipe(Schedule.upTo({ duration: PATIENCE })),
      while: (why) => why === "held"
    }),
    Effect.catch((why) =>
      Effect.gen(function* () {
        if (why === "held") {
          const holder = nameOf(yield* readHolder(svcHome))
          return yield* new HomeError({
            message: `${holder} is running with the folder ${home}: use that one, stop it, or set SVC_HOME to another folder for this one`
          })
        }
        const others = yield* foreign(svcHome, LOCK_FILE)
        const reason =
          others ?? `its file system has no locks. Set SVC_HOME to a folder on this machine that this user owns`
        return yield* new HomeError({ message: `can't lock the folder ${home}: ${reason}` })
      })
    )
  )
  yield* Effect.acquireRelease(acquire, (lock) => Effect.sync(() => lock.close()))
  yield* Effect.acquireRelease(Effect.ignore(writeHolder(svcHome, { pid: process.pid, host: hostname() })), () =>
    Effect.ignore(fs.remove(posix.join(svcHome, HOLDER_FILE), { force: true }))
  )
})
