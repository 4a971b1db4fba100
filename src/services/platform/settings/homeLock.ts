import { closeSync, existsSync, openSync } from "node:fs"
import { hostname } from "node:os"
import { posix } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Effect, FileSystem, Option, Result, Schedule, Schema } from "effect"
import { HomeError, shownHome } from "./prepareHome.ts"

/** The lock of a console's folder; the operating system takes it from a process that ends, however that happens. */
const LOCK_FILE = "console.lock"

/** Beside it: who has the lock. Nothing is concluded from it but what a sentence says. */
const HOLDER_FILE = "console.lock.json"

/** A console that runs with the folder. */
const Holder = Schema.Struct({
  pid: Schema.Int,
  /** The machine or container whose process that is. */
  host: Schema.String
})
type Holder = typeof Holder.Type

const PRIVATE_FILE = 0o600
const SQLITE_BUSY = 5

/** A console that was asked to stop closes within a second, and its successor may have been started already. */
const PATIENCE = "2 seconds"
const LOOK_EVERY = "50 millis"

const HolderFile = Schema.fromJsonString(Holder)
const decodeHolder = Schema.decodeUnknownEffect(HolderFile)

type Refusal = "held" | "unusable"

const codeOf = (cause: unknown): unknown =>
  typeof cause === "object" && cause !== null && "errcode" in cause ? cause.errcode : undefined

/** Closing a file of one's own would give up its lock, so it's never opened but by SQLite once it's there. */
const makeFile = (path: string): void => {
  Result.try(() => closeSync(openSync(path, "wx", PRIVATE_FILE)))
}

/** Takes the lock without waiting; closing the connection gives it back. */
const take = (path: string): Result.Result<DatabaseSync, Refusal> =>
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

/** A new file, because in a folder that others may write to there could be a link in its place. */
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

/** `undefined` if no console runs with this folder; else what to call the one that does. */
export const homeHolder = Effect.fn("homeHolder")(function* (svcHome: string) {
  // Made by another user who looks, it would keep the console out.
  if (!existsSync(posix.join(svcHome, LOCK_FILE))) return undefined
  const taken = take(posix.join(svcHome, LOCK_FILE))
  if (Result.isSuccess(taken)) {
    taken.success.close()
    return undefined
  }
  return taken.failure === "held" ? nameOf(yield* readHolder(svcHome)) : undefined
})

/**
 * Keeps other consoles out of the folder for the life of the scope. They would take each other's messages for lost, and
 * neither would see what the other does. Fails after two seconds if another one has it.
 */
export const holdHome = Effect.fn("holdHome")(function* (svcHome: string, homeDir: string) {
  const fs = yield* FileSystem.FileSystem
  const path = posix.join(svcHome, LOCK_FILE)
  const shown = shownHome(svcHome, homeDir)
  const acquire = Effect.suspend(() => Effect.fromResult(take(path))).pipe(
    Effect.retry({
      schedule: Schedule.spaced(LOOK_EVERY).pipe(Schedule.upTo({ duration: PATIENCE })),
      while: (why) => why === "held"
    }),
    Effect.catch((why) =>
      Effect.flatMap(readHolder(svcHome), (holder) =>
        Effect.fail(
          new HomeError({
            message:
              why === "held"
                ? `${nameOf(holder)} is running with the folder ${shown}: use that one, stop it, or set SVC_HOME to another folder for this one`
                : `can't lock the folder ${shown}: ${LOCK_FILE} in it belongs to another user, or its file system has no locks. Set SVC_HOME to a folder on this machine that this user owns`
          })
        )
      )
    )
  )
  yield* Effect.acquireRelease(acquire, (lock) => Effect.sync(() => lock.close()))
  yield* Effect.acquireRelease(Effect.ignore(writeHolder(svcHome, { pid: process.pid, host: hostname() })), () =>
    Effect.ignore(fs.remove(posix.join(svcHome, HOLDER_FILE), { force: true }))
  )
})
