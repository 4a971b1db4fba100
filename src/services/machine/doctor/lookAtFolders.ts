import { randomBytes } from "node:crypto"
import { existsSync, rmSync, watch } from "node:fs"
import { rm, writeFile } from "node:fs/promises"
import { posix } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Effect, Result, Schedule } from "effect"
import { type StoreFault, storeFault } from "../../platform/sqlite/storeFault.ts"
import { fileSystemOf } from "../../platform/storage/fileSystems.ts"

const WHAT = "the console's database"
const SIDE_FILES = ["", "-wal", "-shm"]
/** Enough for a full disk to show. */
const BYTES = 65_536
/** Another program may have it for a moment, and nobody waits for that here. */
const PATIENCE = "2 seconds"

const attempt = (svcHome: string, use: () => void): Result.Result<void, StoreFault> =>
  Result.try({ try: use, catch: (cause) => storeFault(WHAT, fileSystemOf(svcHome)?.name)(cause) })

/** Makes a database as the console's are made, in the same folder, and removes it. */
const makeOne = (svcHome: string) => {
  const path = posix.join(svcHome, `.doctor-${randomBytes(6).toString("hex")}.db`)
  const made = attempt(svcHome, () => {
    const db = new DatabaseSync(path)
    const written = Result.try(() => {
      db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE trial (content BLOB)")
      db.prepare("INSERT INTO trial VALUES (zeroblob(?))").run(BYTES)
    })
    db.close()
    if (Result.isFailure(written)) throw written.failure
  })
  for (const side of SIDE_FILES) Result.try(() => rmSync(`${path}${side}`, { force: true }))
  return made
}

/** Opens the console's own and begins a change. */
const openConsoleDatabase = (svcHome: string) => {
  const path = posix.join(svcHome, "console.db")
  return attempt(svcHome, () => {
    if (!existsSync(path)) return
    const db = new DatabaseSync(path, { timeout: 0 })
    const begun = Result.try(() => db.exec("BEGIN IMMEDIATE; PRAGMA schema_version; ROLLBACK"))
    db.close()
    if (Result.isFailure(begun)) throw begun.failure
  })
}

/** Why the console's database can't be written to, if so: found by a change that is made and one that is taken back. */
export const lookAtStore = (svcHome: string): Effect.Effect<StoreFault | undefined> =>
  Effect.suspend(() => Effect.fromResult(Result.flatMap(makeOne(svcHome), () => openConsoleDatabase(svcHome)))).pipe(
    Effect.retry({
      schedule: Schedule.spaced("200 millis").pipe(Schedule.upTo({ duration: PATIENCE })),
      while: ({ reason }) => reason === "busy"
    }),
    Effect.match({ onSuccess: () => undefined, onFailure: (fault) => fault })
  )

/** Whether changes to a folder are heard of: `silent` if not even those of this machine, `elsewhere` if no other's. */
export interface ChangeEvents {
  readonly missed: "all" | "remote" | undefined
  /** What the folder is on, where it isn't an ordinary disk. */
  readonly fileSystem: string | undefined
}

/** Touches a file in the folder, and waits until the system tells of it. The name is one that the console's watchers leave out. */
const isReported = (folder: string) =>
  Effect.callback<boolean>((resume) => {
    const name = `.doctor.${randomBytes(6).toString("hex")}.tmp`
    const path = posix.join(folder, name)
    const watching = Result.try(() =>
      watch(folder, (_event, changed) => {
        if (changed === name) end(true)
      })
    )
    const close = () => {
      if (Result.isSuccess(watching)) watching.success.close()
      return rm(path, { force: true }).catch(() => undefined)
    }
    const end = (isSeen: boolean) => {
      void close().then(() => resume(Effect.succeed(isSeen)))
    }
    // It fails where the system has no watches left.
    if (Result.isFailure(watching)) end(false)
    else {
      watching.success.on("error", () => end(false))
      writeFile(path, "").catch(() => end(false))
    }
    return Effect.promise(close)
  }).pipe(
    Effect.timeout(PATIENCE),
    Effect.orElseSucceed(() => false)
  )

/** Looks whether the console hears of changes to a folder that this user may write to. */
export const lookAtWorkspace = Effect.fn("lookAtWorkspace")(function* (folder: string) {
  const kind = fileSystemOf(folder)
  const found: ChangeEvents = {
    missed: !(yield* isReported(folder)) ? "all" : kind?.isShared === true ? "remote" : undefined,
    fileSystem: kind?.name
  }
  return found
})
