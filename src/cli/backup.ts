import { posix, resolve } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Console, Effect, FileSystem, Option, References, Schema, Stream } from "effect"
import { FetchHttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { loadSettingsOf } from "../layers/Config.ts"
import { readAccess, SECRET_HEADER } from "../services/access/local/readAccess.ts"
import { packArchive, readArchive } from "../services/machine/backup/archive.ts"
import { BackupFailure } from "../services/machine/backup/BackupFailure.ts"
import { BACKUP_FILES } from "../services/machine/backup/backupContents.ts"
import { RESTORED, TOPS } from "../services/machine/backup/backupManifest.ts"
import { restoreBackup } from "../services/machine/backup/restoreBackup.ts"
import { type BackupOptions, stageBackup } from "../services/machine/backup/stageBackup.ts"
import { checkPlace, noteBackup, writeBackup, writeBackupInto } from "../services/machine/backup/writeBackup.ts"
import { outgoingHttp } from "../services/platform/outgoing/OutgoingHttp.ts"
import type { SettingsShape } from "../services/platform/settings/Settings.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { environmentFromHere, loadCommandSettings, packageRoot } from "./commandSettings.ts"
import { type ExitCode, exitCodes } from "./exitCodes.ts"

const CODES: Readonly<Record<BackupFailure["reason"], ExitCode>> = {
  home: exitCodes.home,
  store: exitCodes.board,
  place: exitCodes.noPlace,
  missing: exitCodes.noArchive,
  damaged: exitCodes.damagedArchive,
  newer: exitCodes.newerArchive,
  inUse: exitCodes.inUse
}

const EXPECTED = {
  SettingsError: ({ message }: { readonly message: string }) =>
    new CommandFailure({ message, exitCode: exitCodes.settings }),
  BackupFailure: ({ message, reason }: BackupFailure) => new CommandFailure({ message, exitCode: CODES[reason] })
}

const decodeStartedIn = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Struct({ folder: Schema.String })))

/** The settings of the console that keeps its files in the folder: those of the folder that it was last started in. */
const consoleSettings = Effect.gen(function* () {
  const own = yield* loadCommandSettings
  const { svcHome } = own
  const started = (yield* FileSystem.FileSystem).readFileString(posix.join(svcHome, BACKUP_FILES.startedIn))
  const { folder } = yield* Effect.flatMap(started, decodeStartedIn).pipe(
    Effect.orElseSucceed(() => ({ folder: packageRoot }))
  )
  return yield* loadSettingsOf(folder, environmentFromHere()).pipe(
    Effect.map((settings): SettingsShape => ({ ...settings, svcHome })),
    Effect.orElseSucceed(() => ({ ...own, installDir: folder }))
  )
})

/** How long a running console may take to copy what is in the archive. */
const PATIENCE = "30 minutes"

const Refusal = Schema.Struct({ details: Schema.String })

const cutOff = (cause: unknown) =>
  new BackupFailure({
    reason: "home",
    message: "the running console stopped while it sent the backup: try again",
    cause
  })

/** The archive of the console that runs with the folder; nothing if none does, or an older version without backups. */
const askRunning = Effect.fnUntraced(function* (svcHome: string, options: BackupOptions) {
  const client = yield* outgoingHttp
  const asked = yield* readAccess(svcHome).pipe(
    Effect.flatMap(({ address, secret }) =>
      client.execute(
        HttpClientRequest.post(`${address}/api/backup`, { headers: { [SECRET_HEADER]: secret } }).pipe(
          HttpClientRequest.bodyJsonUnsafe(options)
        )
      )
    ),
    Effect.timeout(PATIENCE),
    Effect.option
  )
  if (Option.isNone(asked)) return undefined
  const response = asked.value
  if (response.status === 200) return Stream.mapError(response.stream, cutOff)
  if (response.status !== 500) return undefined
  const { details } = yield* HttpClientResponse.schemaBodyJson(Refusal)(response).pipe(
    Effect.orElseSucceed(() => ({ details: "the running console couldn't make the backup: its log says why" }))
  )
  return yield* new BackupFailure({ reason: "home", message: details })
})

const ELSEWHERE =
  "the board is in the PostgreSQL database of BOARD_URL, which no backup of the console holds: back it up there"

/** `agent-console backup`: the running console makes the archive, or this command if none runs; prints its path. */
export const makeBackup = Effect.fn("makeBackup")(
  function* (flags: BackupOptions & { readonly file: Option.Option<string>; readonly force: boolean }) {
    const { file, force, gatewayHome, withoutSecrets } = flags
    const options = { gatewayHome, withoutSecrets }
    const settings = yield* consoleSettings
    const { svcHome } = settings
    // Before a large archive is made for nothing.
    if (Option.isSome(file)) yield* checkPlace(resolve(file.value), force)
    const bytes = (yield* askRunning(svcHome, options)) ?? packArchive(yield* stageBackup(settings, options))
    const made = yield* Option.match(file, {
      onNone: () =>
        writeBackupInto(bytes, posix.join(svcHome, BACKUP_FILES.folder), (temporary) => readArchive(temporary)),
      onSome: (name) => writeBackup(bytes, resolve(name), { force, check: (temporary) => readArchive(temporary) })
    })
    yield* noteBackup(svcHome, made)
    if (settings.boardUrl !== undefined) yield* Console.error(`agent-console: ${ELSEWHERE}`)
    yield* Console.log(made)
  },
  Effect.scoped,
  Effect.catchTags(EXPECTED),
  Effect.provideService(References.MinimumLogLevel, "None"),
  Effect.provide([FetchHttpClient.layer, NodeServices.layer])
)

/** `agent-console backup verify`. */
export const verifyBackup = Effect.fn("verifyBackup")(
  function* (file: string) {
    const { consoleVersion, createdAt, files } = yield* readArchive(resolve(file))
    const when = new Date(createdAt).toISOString().slice(0, 19).replace("T", " ")
    yield* Console.log(`Whole: ${files.length} files, made by Agent Console ${consoleVersion} on ${when} UTC.`)
  },
  Effect.catchTags({ BackupFailure: EXPECTED.BackupFailure })
)

const quoted = (path: string): string => (/^[\w/.@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

/** `agent-console restore`: makes a folder what an archive holds, and says what is to be copied by hand. */
export const restore = Effect.fn("restore")(
  function* (flags: { readonly file: string; readonly into: Option.Option<string>; readonly replace: boolean }) {
    const settings = yield* loadCommandSettings
    const into = Option.match(flags.into, { onNone: () => settings.svcHome, onSome: (path) => resolve(path) })
    const { aside, folder, tops } = yield* restoreBackup(resolve(flags.file), { into, replace: flags.replace })
    yield* Console.log(`Restored to ${folder}.`)
    if (aside !== undefined)
      yield* Console.log(`What was there before is in ${aside}: remove it when you don't need it.`)
    const from = (top: string) => quoted(posix.join(folder, RESTORED, top))
    if (tops.has(TOPS.settings)) {
      yield* Console.log(
        `The settings weren't replaced. To use the archive's, in the folder that the console is started in:\n  cp ${from(TOPS.settings)}/.env .env`
      )
    }
    if (tops.has(TOPS.gateway)) {
      yield* Console.log(
        `The agents' files weren't replaced. To use the archive's:\n  cp -R ${from(TOPS.gateway)}/. ${quoted(settings.gatewayHome)}/`
      )
    }
  },
  Effect.catchTags(EXPECTED),
  Effect.provideService(References.MinimumLogLevel, "None")
)
