import { createHash } from "node:crypto"
import { constants, createReadStream, existsSync } from "node:fs"
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { posix } from "node:path"
import { backup, DatabaseSync } from "node:sqlite"
import { pipeline } from "node:stream/promises"
import { Clock, Effect, type Scope } from "effect"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { storeFault } from "../../platform/sqlite/storeFault.ts"
import { errnoOf } from "../../platform/storage/fileErrors.ts"
import { packageInfo } from "../../platform/version/packageInfo.ts"
import { BackupFailure, doing } from "./BackupFailure.ts"
import { belongs, envWithoutSecrets, gatewaysWithoutSecrets, isDatabase, WORKSPACE_FILES } from "./backupContents.ts"
import { type ArchivedFile, FORMAT, type Manifest, TOPS } from "./backupManifest.ts"
import { removeUnfinished, unfinishedName } from "./unfinished.ts"

/** What is in an archive beside the console's folder and settings. */
export interface BackupOptions {
  readonly withoutSecrets: boolean
  readonly gatewayHome: boolean
}

/** Where what is backed up is found. */
export type BackupPlaces = Pick<
  SettingsShape,
  "svcHome" | "installDir" | "gatewayHome" | "memoryPath" | "memoryDir" | "sttModelDir" | "backupDir"
>

/** Copies of everything that goes into an archive, as it was at one moment. */
export interface StagedBackup {
  readonly manifest: Manifest
  /** The copy of each of the manifest's files, by its path. */
  readonly copies: ReadonlyMap<string, string>
}

/** A file to be copied, and its path in the archive. */
interface Source {
  readonly path: string
  readonly file: string
}

const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600
/** How long a change of another program may keep a database from being read. */
const PATIENCE_MS = 5000
/** Pages that are copied before the thread pool does something else. */
const PAGES = 2000

const READING = doing("home", "read the console's folder")
const COPYING = doing("home", "copy the console's files for the backup")

const isGone = (cause: unknown): boolean => errnoOf(cause) === "ENOENT"

/** The regular files below a folder, through links, each folder once; what isn't a file or folder is left out. */
const filesBelow = (
  folder: string,
  path: string,
  isWanted: (name: string, file: string) => boolean,
  seen: ReadonlySet<string> = new Set()
): Effect.Effect<ReadonlyArray<Source>, BackupFailure> =>
  Effect.gen(function* () {
    const names = yield* READING(() => readdir(folder))
    const found = yield* Effect.forEach(
      names.toSorted().filter((name) => isWanted(name, posix.join(folder, name))),
      (name) => {
        const file = posix.join(folder, name)
        return Effect.gen(function* () {
          // A file that is removed meanwhile, or a link that leads nowhere.
          const info = yield* READING(() =>
            stat(file).catch((cause) => (isGone(cause) ? undefined : Promise.reject(cause)))
          )
          if (info?.isFile()) return [{ path: `${path}/${name}`, file }]
          const place = `${info?.dev}:${info?.ino}`
          if (!info?.isDirectory() || seen.has(place)) return []
          return yield* filesBelow(file, `${path}/${name}`, () => true, new Set([...seen, place]))
        })
      }
    )
    return found.flat()
  })

/** Opens a database and holds it as it is now, while its console goes on writing. */
const held = (file: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const db = new DatabaseSync(file, { timeout: PATIENCE_MS })
        db.exec("BEGIN")
        db.prepare("SELECT count(*) FROM sqlite_schema").get()
        return db
      },
      catch: (cause) => {
        const { message } = storeFault(`${posix.basename(file)}`)(cause)
        return new BackupFailure({ reason: "store", message, cause })
      }
    }),
    (db) => Effect.sync(() => db.close())
  )

/** Without the devices that get notifications, whose keys are secrets, and without what deleted rows left in the file. */
const removeSecrets = (file: string): void => {
  const db = new DatabaseSync(file)
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE name IN ('push_devices', 'push_standing')").all()
  for (const { name } of tables) db.exec(`DELETE FROM ${String(name)}`)
  db.exec("VACUUM")
  db.close()
}

const gatewaySources = Effect.fnUntraced(function* (places: BackupPlaces) {
  const { gatewayHome, memoryDir, memoryPath } = places
  const pathOf = (file: string) => {
    const within = posix.relative(gatewayHome, file)
    // Settings may place the memory elsewhere.
    return `${TOPS.gateway}/${within.startsWith("..") ? `workspace/${posix.basename(file)}` : within}`
  }
  const names = existsSync(gatewayHome) ? yield* READING(() => readdir(gatewayHome)) : []
  const workspaces = names
    .filter((name) => name === "workspace" || name.startsWith("workspace-"))
    .map((name) => posix.join(gatewayHome, name))
  const files = new Set([
    memoryPath,
    ...workspaces.flatMap((folder) => WORKSPACE_FILES.map((name) => posix.join(folder, name)))
  ])
  const folders = new Set([memoryDir, ...workspaces.map((folder) => posix.join(folder, "memory"))])
  const daily = yield* Effect.forEach(
    [...folders].filter((folder) => existsSync(folder)),
    (folder) => filesBelow(folder, pathOf(folder), (name) => name.endsWith(".md"))
  )
  return [
    ...[...files].filter((file) => existsSync(file)).map((file) => ({ path: pathOf(file), file })),
    ...daily.flat()
  ]
})

/** Makes a folder of its own in the console's folder for the life of the scope. */
const makeStaging = Effect.fnUntraced(function* (svcHome: string) {
  yield* removeUnfinished(svcHome)
  const folder = posix.join(svcHome, unfinishedName())
  return yield* Effect.acquireRelease(
    COPYING(() => mkdir(folder, { mode: PRIVATE_FOLDER }).then(() => folder)),
    () => Effect.ignore(Effect.tryPromise(() => rm(folder, { recursive: true, force: true })))
  )
})

const hashOf = (file: string): Promise<string> => {
  const hash = createHash("sha256").setEncoding("hex")
  return pipeline(createReadStream(file), hash).then(() => String(hash.read()))
}

const homeSources = Effect.fnUntraced(function* (places: BackupPlaces, withoutSecrets: boolean) {
  const { backupDir, sttModelDir, svcHome } = places
  const isThere = yield* READING(() =>
    stat(svcHome).then(
      (info) => info.isDirectory(),
      (cause) => (isGone(cause) ? false : Promise.reject(cause))
    )
  )
  if (!isThere) {
    return yield* new BackupFailure({
      reason: "home",
      message: `there's no folder ${svcHome} to back up: set SVC_HOME to the console's folder`
    })
  }
  const elsewhere = [backupDir, sttModelDir]
  return yield* filesBelow(
    svcHome,
    TOPS.home,
    (name, file) => belongs(name, withoutSecrets) && !elsewhere.includes(file)
  )
})

/**
 * Copies everything that belongs into an archive, for the life of the scope: the databases as they are at one moment,
 * by SQLite's own backup, and the other files right then. Every change that was confirmed before is in it.
 */
export const stageBackup: (
  places: BackupPlaces,
  options: BackupOptions
) => Effect.Effect<StagedBackup, BackupFailure, Scope.Scope> = Effect.fn("stageBackup")(function* (places, options) {
  const { withoutSecrets } = options
  const found = yield* homeSources(places, withoutSecrets)
  const staging = yield* makeStaging(places.svcHome)
  const copies = new Map<string, string>()
  const placeFor = (path: string) => {
    const copy = posix.join(staging, String(copies.size))
    copies.set(path, copy)
    return copy
  }
  const isOpen = ({ path }: Source) => isDatabase(path) && path.split("/").length === 2

  const createdAt = yield* Clock.currentTimeMillis
  const databases = yield* Effect.forEach(found.filter(isOpen), ({ path, file }) =>
    Effect.map(held(file), (db) => ({ path, db }))
  )
  const gateway = options.gatewayHome ? yield* gatewaySources(places) : []
  const env = { path: `${TOPS.settings}/.env`, file: posix.join(places.installDir, ".env") }
  const others = [...found.filter((source) => !isOpen(source)), ...gateway, ...(existsSync(env.file) ? [env] : [])]
  for (const { path, file } of others) {
    const copy = placeFor(path)
    const filter = withoutSecrets ? FILTERS.get(path) : undefined
    yield* COPYING(() => (filter === undefined ? copied(file, copy) : filtered(file, copy, filter)))
    if (!existsSync(copy)) copies.delete(path)
  }
  for (const { path, db } of databases) {
    const copy = placeFor(path)
    yield* COPYING(() => backup(db, copy, { rate: PAGES }))
    if (withoutSecrets) yield* COPYING(() => Promise.resolve().then(() => removeSecrets(copy)))
  }
  const files = yield* Effect.forEach([...copies].toSorted(), ([path, copy]) =>
    COPYING(() =>
      Promise.all([stat(copy), hashOf(copy)]).then(
        ([{ size }, sha256]): ArchivedFile => ({ path, bytes: size, sha256 })
      )
    )
  )
  return { copies, manifest: { version: FORMAT, consoleVersion: packageInfo.version, createdAt, files } }
})

type Filter = (text: string) => string | undefined

/** The files of which an archive without secrets holds only a part. */
const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  [`${TOPS.settings}/.env`, envWithoutSecrets],
  [`${TOPS.home}/.env`, envWithoutSecrets],
  [`${TOPS.home}/gateways.json`, gatewaysWithoutSecrets]
])

/** A file that was removed meanwhile isn't copied. */
const copied = (file: string, copy: string): Promise<void> =>
  copyFile(file, copy, constants.COPYFILE_FICLONE).catch((cause) => (isGone(cause) ? undefined : Promise.reject(cause)))

/** As bytes that are one character each, so that whatever isn't left out stays as it is. */
const filtered = (file: string, copy: string, filter: Filter): Promise<void> =>
  readFile(file, "latin1").then((text) => {
    const kept = filter(text)
    return kept === undefined ? undefined : writeFile(copy, kept, { encoding: "latin1", mode: PRIVATE_FILE })
  })
