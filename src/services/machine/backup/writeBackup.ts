import { link, lstat, mkdir, open, rename, rm, stat } from "node:fs/promises"
import { posix } from "node:path"
import { Clock, DateTime, Effect, Schema, Stream } from "effect"
import { writeFileAtomic } from "../../platform/storage/atomicFile.ts"
import { errnoOf } from "../../platform/storage/fileErrors.ts"
import { BackupFailure, doing } from "./BackupFailure.ts"
import { BACKUP_FILES } from "./backupContents.ts"
import { stampOf } from "./backupManifest.ts"
import { removeUnfinished, unfinishedName } from "./unfinished.ts"

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
const SECOND = 1000

const refuse = (message: string) => new BackupFailure({ reason: "place", message })
const taken = (file: string) => refuse(`${file} is already there: choose another name, or pass --force to replace it`)

/** File systems without links say one of these. */
const WITHOUT_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]

const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false
  )

/** Refuses a file that is there already, unless it may be replaced, and a folder that isn't there. */
export const checkPlace = Effect.fnUntraced(function* (file: string, force: boolean) {
  const folder = posix.dirname(file)
  const isFolder = (path: string) =>
    Effect.promise(() =>
      stat(path).then(
        (info) => info.isDirectory(),
        () => false
      )
    )
  if (!(yield* isFolder(folder))) return yield* refuse(`there's no folder ${folder} for the backup`)
  if (yield* isFolder(file)) return yield* refuse(`${file} is a folder: name a file for the backup`)
  if (!force && (yield* Effect.promise(() => isThere(file)))) return yield* taken(file)
})

/** Gives a whole file its name; false if it's taken and may not be replaced. */
const publish = (temporary: string, file: string, force: boolean): Promise<boolean> =>
  force
    ? rename(temporary, file).then(() => true)
    : link(temporary, file).then(
        () => true,
        (cause) => {
          if (errnoOf(cause) === "EEXIST") return false
          if (!WITHOUT_LINKS.includes(errnoOf(cause))) return Promise.reject(cause)
          return isThere(file).then((found) => (found ? false : rename(temporary, file).then(() => true)))
        }
      )

const syncFolder = (folder: string): Promise<void> =>
  open(folder, "r").then((handle) => handle.sync().finally(() => handle.close()))

/** Writes an archive beside its place, synced and for this user only; it's removed with the scope unless it was renamed. */
const writeBeside = Effect.fnUntraced(function* (
  bytes: Stream.Stream<Uint8Array, BackupFailure>,
  folder: string,
  check: (file: string) => Effect.Effect<unknown, BackupFailure>
) {
  const writing = doing("place", `write the backup into ${folder}`)
  yield* removeUnfinished(folder)
  const file = posix.join(folder, unfinishedName())
  yield* Effect.scoped(
    Effect.gen(function* () {
      const handle = yield* Effect.acquireRelease(
        writing(() => open(file, "wx", PRIVATE_FILE)),
        (opened) => Effect.promise(() => opened.close())
      )
      yield* Stream.runForEach(bytes, (piece) => writing(() => handle.writeFile(piece)))
      yield* writing(() => handle.sync())
    })
  ).pipe(Effect.onError(() => Effect.promise(() => rm(file, { force: true }))))
  yield* Effect.addFinalizer(() => Effect.promise(() => rm(file, { force: true })))
  yield* check(file)
  return file
})

const nothing = () => Effect.void

/** Writes an archive to a file: the file is there with all of it, or as before. `check` has the last word on it. */
export const writeBackup = Effect.fn("writeBackup")(function* (
  bytes: Stream.Stream<Uint8Array, BackupFailure>,
  file: string,
  { check = nothing, force }: { readonly force: boolean; readonly check?: Parameters<typeof writeBeside>[2] }
) {
  yield* checkPlace(file, force)
  const folder = posix.dirname(file)
  const temporary = yield* writeBeside(bytes, folder, check)
  const writing = doing("place", `write ${file}`)
  if (!(yield* writing(() => publish(temporary, file, force)))) return yield* taken(file)
  yield* writing(() => syncFolder(folder))
  return file
}, Effect.scoped)

/** Writes an archive into a folder, named after the moment; a second one in the same second waits for the next. */
export const writeBackupInto = Effect.fn("writeBackupInto")(function* (
  bytes: Stream.Stream<Uint8Array, BackupFailure>,
  folder: string,
  check: Parameters<typeof writeBeside>[2] = nothing
) {
  const writing = doing("place", `write the backup into ${folder}`)
  yield* writing(() =>
    mkdir(folder, { mode: PRIVATE_FOLDER }).catch((cause) =>
      errnoOf(cause) === "EEXIST" ? undefined : Promise.reject(cause)
    )
  )
  const temporary = yield* writeBeside(bytes, folder, check)
  for (;;) {
    const now = yield* Clock.currentTimeMillis
    const name = `${stampOf(DateTime.formatIso(DateTime.makeUnsafe(now)))}.tar.gz`
    const file = posix.join(folder, name)
    if (yield* writing(() => publish(temporary, file, false))) {
      yield* writing(() => syncFolder(folder))
      return file
    }
    yield* Effect.sleep(SECOND - (now % SECOND))
  }
}, Effect.scoped)

/** A backup that was made: where, and when (epoch ms). */
export const MadeBackup = Schema.Struct({ file: Schema.String, at: Schema.Int })
export type MadeBackup = typeof MadeBackup.Type

/** Notes the last backup, for the doctor; one that can't be noted is a backup nonetheless. */
export const noteBackup = Effect.fnUntraced(function* (svcHome: string, file: string) {
  const text = JSON.stringify({ file, at: yield* Clock.currentTimeMillis } satisfies MadeBackup)
  yield* writeFileAtomic(posix.join(svcHome, BACKUP_FILES.last), `${text}\n`, { mode: PRIVATE_FILE }).pipe(
    Effect.ignore({ log: "Warn" })
  )
})
