import { constants } from "node:fs"
import { access, stat, statfs } from "node:fs/promises"
import { posix } from "node:path"
import { Clock, Context, Effect, FileSystem, Layer, Option, Schedule, Schema } from "effect"
import { HttpClient } from "effect/http"
import type { ChildProcessSpawner } from "effect/process"
import { failure } from "../../../contract/failures.ts"
import type { DoctorCheck } from "../../../contract/schema/machine.ts"
import { SttModelId } from "../../../contract/schema/voice.ts"
import { Auth } from "../../access/auth/Auth.ts"
import { RequestTrust } from "../../access/trust/RequestTrust.ts"
import { Budgets } from "../../budgets/Budgets.ts"
import { GatewayClient } from "../../gateway/client/GatewayClient.ts"
import { connecting } from "../../gateway/client/gatewayFailures.ts"
import { outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import { prepareHome } from "../../platform/settings/consoleHome.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { SETTING_NAMES, settingNotes } from "../../platform/settings/settingNotes.ts"
import { mergeVariables, parseDotEnv, SettingsSource } from "../../platform/settings/variables.ts"
import { Sqlite } from "../../platform/sqlite/Sqlite.ts"
import type { StoreFault } from "../../platform/sqlite/storeFault.ts"
import { tryStoreWrite } from "../../platform/sqlite/storeReady.ts"
import { ModelFiles, modelFileName, SttSettings } from "../../voice/stt/SttSettings.ts"
import { backupFinding, lastBackup } from "./backupRules.ts"
import { budgetsFinding } from "./budgetsFinding.ts"
import { type Finding, ok, problem } from "./doctorCheck.ts"
import {
  changedSettings,
  cookieFinding,
  deviceFinding,
  type FolderFacts,
  forDemo,
  gatewayFilesFinding,
  gatewayFinding,
  homeFinding,
  hstsFinding,
  hstsName,
  localSpeechFinding,
  portFinding,
  proxyFinding,
  settingsFindings,
  signInFinding,
  tokenFinding,
  vendorSpeechFinding
} from "./doctorRules.ts"
import { lookAtCertificate } from "./lookAtCertificate.ts"
import { lookAtStore, lookAtWorkspace } from "./lookAtFolders.ts"
import { lookAtPrograms, portUse } from "./lookAtPrograms.ts"

export interface DoctorShape {
  /** Checks everything the console needs, in at most 10 seconds. */
  readonly examine: Effect.Effect<ReadonlyArray<DoctorCheck>>
}

/** How long to wait for a gateway connection that's still opening. */
const GATEWAY_PATIENCE = "8 seconds"
const OLDEST_NODE = 24
const BOARD_FIX = failure("START_DATABASE")

const decodeModel = Schema.decodeUnknownOption(SttModelId)

const NOTHING: FolderFacts = {
  isThere: false,
  isFolder: false,
  isReadable: false,
  isWritable: false,
  mode: 0,
  freeBytes: 0
}

const may = (path: string, mode: number) =>
  access(path, mode).then(
    () => true,
    () => false
  )

const factsOf = (path: string) =>
  Effect.tryPromise(() =>
    Promise.all([
      stat(path),
      statfs(path),
      may(path, constants.R_OK | constants.X_OK),
      may(path, constants.W_OK | constants.X_OK)
    ])
  ).pipe(
    Effect.map(
      ([info, { bavail, bsize }, isReadable, isWritable]): FolderFacts => ({
        isThere: true,
        isFolder: info.isDirectory(),
        isReadable,
        isWritable,
        mode: info.mode & 0o777,
        freeBytes: bavail * bsize
      })
    ),
    Effect.orElseSucceed(() => NOTHING)
  )

const nodeFinding = (version: string): Finding =>
  Number(version.split(".")[0]) >= OLDEST_NODE
    ? ok(failure("NODE_VERSION", { version }))
    : problem(failure("NODE_TOO_OLD", { version }), failure("INSTALL_NODE", { version: OLDEST_NODE }))

/** Checks everything the console needs, for the command line and the first-run checklist. */
export class Doctor extends Context.Service<Doctor, DoctorShape>()("agent-console/services/machine/doctor/Doctor") {
  static readonly layer = Layer.effect(
    Doctor,
    Effect.gen(function* () {
      const settings = yield* Settings
      const gateway = yield* GatewayClient
      const platform = yield* Effect.context<ChildProcessSpawner.ChildProcessSpawner | FileSystem.FileSystem>()
      const source = yield* SettingsSource
      const fs = yield* FileSystem.FileSystem
      const http = yield* outgoingHttp
      // A doctor beside the console has neither its database open nor sees its requests.
      const sqlite = yield* Effect.serviceOption(Sqlite)
      const speech = yield* Effect.serviceOption(SttSettings)
      const trust = yield* Effect.serviceOption(RequestTrust)
      const auth = yield* Effect.serviceOption(Auth)
      const budgets = yield* Effect.serviceOption(Budgets)

      const link = Effect.gen(function* () {
        yield* Effect.repeat(gateway.status, {
          schedule: Schedule.spaced("50 millis"),
          until: ({ gateway: state, reason }) => state === "ok" || reason !== connecting.message
        }).pipe(Effect.timeoutOption(GATEWAY_PATIENCE))
        return yield* Effect.all({ status: gateway.status, connection: gateway.connection })
      })

      const speechModel = Effect.gen(function* () {
        const { sttProvider, sttModel, sttModelDir, vendorAKey } = settings
        // Somebody may have chosen otherwise since the start.
        const chosen = Option.isSome(speech) ? yield* speech.value.get : { provider: sttProvider, model: sttModel }
        if (chosen.provider === "vendor_a") return vendorSpeechFinding(vendorAKey !== undefined)
        const model = Option.getOrElse(decodeModel(chosen.model), () => "tiny" as const)
        const { bytes } = (yield* ModelFiles)[model]
        const isReady = yield* fs.stat(posix.join(sttModelDir, modelFileName(model))).pipe(
          Effect.map(({ size }) => Number(size) === bytes),
          Effect.orElseSucceed(() => false)
        )
        return localSpeechFinding(model, isReady)
      })

      const board = Effect.gen(function* () {
        if (settings.boardUrl === undefined) return undefined
        const { boardDatabaseVersion } = yield* Effect.promise(() => import("../../board/store/preparePostgres.ts"))
        return yield* boardDatabaseVersion(settings.boardUrl).pipe(
          Effect.map((version) => ok(failure("BOARD_SHARED", { version }))),
          Effect.catch((error) =>
            Effect.succeed(
              problem(
                { ...error, message: `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.` },
                BOARD_FIX
              )
            )
          )
        )
      })

      /** Why the console can't write to the file it has open, which may not be the one that's there any more. */
      const openStore = Option.match(sqlite, {
        onNone: () => Effect.succeed(undefined),
        onSome: (store) =>
          Effect.match(tryStoreWrite(store), { onSuccess: () => undefined, onFailure: (fault): StoreFault => fault })
      })

      /** Closes it to others where it was opened since the start. */
      const home = Effect.gen(function* () {
        const open = yield* prepareHome(settings.svcHome, "").pipe(Effect.orElseSucceed(() => undefined))
        const facts = yield* factsOf(settings.svcHome)
        const fault = facts.isFolder && facts.isWritable ? yield* lookAtStore(settings.svcHome) : undefined
        return homeFinding(facts, { open, fault: fault ?? (yield* openStore) })
      })

      const gatewayFiles = Effect.gen(function* () {
        const folder = posix.join(settings.gatewayHome, "workspace")
        const [facts, workspace] = yield* Effect.all([factsOf(settings.gatewayHome), factsOf(folder)])
        const events = workspace.isWritable ? yield* lookAtWorkspace(folder) : undefined
        const programs = yield* lookAtPrograms(settings, facts.isFolder)
        return { files: gatewayFilesFinding(facts, workspace, events), programs }
      })

      const made = Effect.gen(function* () {
        const now = source === undefined ? undefined : yield* source.now
        const all = now === undefined ? {} : mergeVariables([now.environment, parseDotEnv(now.dotEnv)])
        const name = hstsName(settings, all.HSTS !== undefined)
        const hsts = name === undefined ? [] : [hstsFinding(name)]
        if (source === undefined || now === undefined) return settingsFindings([], [], hsts)
        const changed = source.started === undefined ? [] : changedSettings(source.started, all, SETTING_NAMES)
        return settingsFindings(settingNotes(now), changed, hsts)
      })

      const examine = Effect.gen(function* () {
        const found = yield* Effect.all(
          {
            link,
            certificate: lookAtCertificate(settings, source?.started !== undefined),
            made,
            speechModel,
            port: portUse(settings).pipe(Effect.provideService(HttpClient.HttpClient, http)),
            board,
            home,
            backup: lastBackup(settings.svcHome),
            gatewayFiles
          },
          { concurrency: "unbounded" }
        )
        const { status, connection } = found.link
        const { files, programs } = found.gatewayFiles
        const forPractice = (finding: Finding) => (settings.isDemo ? forDemo(finding) : finding)
        const proxy = proxyFinding(Option.isSome(trust) ? trust.value.proxySigns() : [])
        const checks: ReadonlyArray<readonly [DoctorCheck["id"], string, Finding]> = [
          ["node", "Node", nodeFinding(process.versions.node)],
          ...found.made.map((finding) => ["settings", "Settings", finding] as const),
          ["token", "Gateway token", tokenFinding(settings.gatewayToken !== undefined)],
          ["gateway", "Gateway", gatewayFinding(settings.gatewayUrl, status, connection)],
          ["device", "Device approval", deviceFinding(status, connection)],
          ["gateway-files", "Gateway's files", files],
          ["home", "Console's folder", found.home],
          ...(found.board === undefined ? [] : ([["board", "Board", found.board]] as const)),
          ...(Option.isSome(budgets)
            ? ([["budgets", "Budgets", budgetsFinding(yield* budgets.value.list)]] as const)
            : []),
          ["backup", "Backup", backupFinding(found.backup, settings.backupEvery, yield* Clock.currentTimeMillis)],
          ["port", "Port", portFinding(settings, found.port)],
          ["signin", "Sign-in", signInFinding(settings)],
          ...(Option.isSome(auth) && auth.value.sharesCookie()
            ? ([["signin", "Sign-in", cookieFinding(auth.value.cookieName)]] as const)
            : []),
          ["certificate", "Certificate", found.certificate],
          ...(proxy === undefined ? [] : ([["proxy", "Proxy", proxy]] as const)),
          ["git", "git", forPractice(programs.git)],
          ["gateway-cli", "openclaw", forPractice(programs["gateway-cli"])],
          ...(programs["agent-b"] === undefined ? [] : ([["agent-b", "claude", programs["agent-b"]]] as const)),
          ["ffmpeg", "ffmpeg", forPractice(programs.ffmpeg)],
          ["speech-model", "Speech model", forPractice(found.speechModel)]
        ]
        return checks.map(([id, title, finding]): DoctorCheck => ({ id, title, ...finding }))
      }).pipe(Effect.provideContext(platform), Effect.withSpan("Doctor.examine"))

      return Doctor.of({ examine })
    })
  )
}
