import { existsSync } from "node:fs"
import { rm } from "node:fs/promises"
import {
  Clock,
  Context,
  Effect,
  type FileSystem,
  Layer,
  Path,
  Schedule,
  Schema,
  type Scope,
  Semaphore,
  type Stream
} from "effect"
import { ServerReady } from "../../platform/ServerReady.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { writeFileAtomic } from "../../platform/storage/atomicFile.ts"
import { makeJsonFile } from "../../platform/storage/jsonFile.ts"
import { packArchive } from "./archive.ts"
import type { BackupFailure } from "./BackupFailure.ts"
import { BACKUP_FILES } from "./backupContents.ts"
import { type BackupOptions, stageBackup } from "./stageBackup.ts"
import { MadeBackup, noteBackup, writeBackupInto } from "./writeBackup.ts"

export interface BackupsShape {
  /** An archive of everything as it is now; its copies are kept for the life of the scope. */
  readonly archive: (
    options: BackupOptions
  ) => Effect.Effect<Stream.Stream<Uint8Array, BackupFailure>, BackupFailure, Scope.Scope>
}

const HOUR_MS = 3_600_000
/** So that a start isn't slowed down. */
const FIRST_LOOK = "5 seconds"
const LOOK_EVERY = "1 minute"
/** After one that failed, as on a disk that is full or away. */
const AGAIN_AFTER_MS = 600_000
const PRIVATE_FILE = 0o600

const ALL: BackupOptions = { withoutSecrets: false, gatewayHome: false }

/** Makes archives of the console while it runs, also by itself: every `BACKUP_EVERY` hours, of which it keeps `BACKUP_KEEP`. */
export class Backups extends Context.Service<Backups, BackupsShape>()("agent-console/services/machine/backup/Backups") {
  static readonly layer = Layer.effect(
    Backups,
    Effect.gen(function* () {
      const settings = yield* Settings
      const { backupDir, backupEvery, backupKeep, installDir, svcHome } = settings
      const paths = yield* Path.Path
      const serverReady = yield* ServerReady
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const made = yield* makeJsonFile({
        path: paths.join(svcHome, BACKUP_FILES.automatic),
        what: `the list of backups (${BACKUP_FILES.automatic})`,
        schema: Schema.Array(MadeBackup),
        empty: []
      })
      const alone = yield* Semaphore.make(1)

      const archive = (options: BackupOptions) =>
        Effect.map(alone.withPermit(stageBackup(settings, options)), packArchive)

      /** Those that it made itself, the latest first. */
      let list = yield* made.read.pipe(Effect.orElseSucceed((): ReadonlyArray<MadeBackup> => []))

      const makeOne = Effect.gen(function* () {
        const file = yield* writeBackupInto(yield* archive(ALL), backupDir)
        const at = yield* Clock.currentTimeMillis
        yield* noteBackup(svcHome, file)
        const isOld = (_: MadeBackup, index: number) => index >= backupKeep - 1
        const there = list.filter((one) => existsSync(one.file)).toSorted((a, b) => b.at - a.at)
        yield* Effect.forEach(there.filter(isOld), (old) => Effect.tryPromise(() => rm(old.file, { force: true })))
        list = yield* made.update(() => [{ file, at }, ...there.filter((one, index) => !isOld(one, index))])
        yield* Effect.logInfo(`Made the backup ${paths.basename(file)}`)
      }).pipe(Effect.scoped)

      let failedAt = Number.NEGATIVE_INFINITY
      const makeIfDue = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const last = Math.max(...list.map(({ at }) => at), Number.NEGATIVE_INFINITY)
        // One of the future was made while the clock was wrong.
        const isRecent = last <= now && now - last < backupEvery * HOUR_MS
        if (isRecent || now - failedAt < AGAIN_AFTER_MS) return
        failedAt = now
        yield* makeOne
        failedAt = Number.NEGATIVE_INFINITY
      }).pipe(
        Effect.catch((failure) => Effect.logWarning(`Couldn't make the backup: ${failure.message}`)),
        Effect.provideContext(platform)
      )

      // A command that backs up while no console runs finds the settings there.
      const sayWhere = writeFileAtomic(
        paths.join(svcHome, BACKUP_FILES.startedIn),
        `${JSON.stringify({ folder: installDir })}\n`,
        { mode: PRIVATE_FILE }
      ).pipe(Effect.ignore({ log: "Warn" }), Effect.provideContext(platform))

      yield* serverReady.wait.pipe(
        Effect.andThen(sayWhere),
        Effect.andThen(
          backupEvery === 0
            ? Effect.void
            : makeIfDue.pipe(Effect.repeat(Schedule.spaced(LOOK_EVERY)), Effect.delay(FIRST_LOOK))
        ),
        Effect.forkScoped
      )
      return Backups.of({ archive })
    })
  )
}
