import { constants } from "node:fs"
import { access, stat, statfs } from "node:fs/promises"
import { posix } from "node:path"
import { Clock, Context, Effect, FileSystem, Layer, Option, Schedule, Schema } from "effect"
import { HttpClient } from "effect/http"
import { ChildProcessSpawner } from "effect/process"
import { RequestTrust } from "../../access/trust/RequestTrust.ts"
import { GatewayClient } from "../../gateway/client/GatewayClient.ts"
import { connecting } from "../../gateway/client/gatewayFailures.ts"
import { outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import { childCommand } from "../../platform/process/childCommand.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { ModelFiles, modelFileName, SttModelId } from "../../voice/stt/modelCatalogue.ts"
import { portFinding, proxyFinding, signInFinding } from "./accessRules.ts"
import { certificateFinding } from "./certificateRules.ts"
import { type DoctorCheck, type Finding, ok, problem, warning } from "./doctorCheck.ts"
import { type FolderFacts, gatewayFilesFinding, homeFinding } from "./folderRules.ts"
import { deviceFinding, gatewayFinding, tokenFinding } from "./gatewayRules.ts"
import { portUse } from "./portUse.ts"
import { forDemo, localSpeechFinding, vendorSpeechFinding } from "./speechRules.ts"

export interface DoctorShape {
  /** Checks everything the console needs, in at most 10 seconds. */
  readonly examine: Effect.Effect<ReadonlyArray<DoctorCheck>>
}

/** How long to wait for a gateway connection that's still opening. */
const GATEWAY_PATIENCE = "8 seconds"
const TOOL_LIMIT = "5 seconds"
const OLDEST_NODE = 24
const BOARD_FIX = "Start the database, or correct BOARD_URL; without it the board is in the console's own folder."

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
    ? ok(`Version ${version}.`)
    : problem(`Version ${version} is too old.`, `Install Node ${OLDEST_NODE} or newer.`)

/** Checks everything the console needs, for the command line and the first-run checklist. */
export class Doctor extends Context.Service<Doctor, DoctorShape>()("agent-console/services/machine/doctor/Doctor") {
  static readonly layer = Layer.effect(
    Doctor,
    Effect.gen(function* () {
      const settings = yield* Settings
      const gateway = yield* GatewayClient
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const fs = yield* FileSystem.FileSystem
      const http = yield* outgoingHttp
      // A doctor beside the console sees no requests.
      const trust = yield* Effect.serviceOption(RequestTrust)

      const link = Effect.gen(function* () {
        yield* Effect.repeat(gateway.status, {
          schedule: Schedule.spaced("50 millis"),
          until: ({ gateway: state, reason }) => state === "ok" || reason !== connecting.message
        }).pipe(Effect.timeoutOption(GATEWAY_PATIENCE))
        return yield* Effect.all({ status: gateway.status, connection: gateway.connection })
      })

      const ffmpeg = childCommand(settings.ffmpegCommand, ["-version"], { stdin: "ignore", stderr: "ignore" }).pipe(
        Effect.flatMap(spawner.string),
        Effect.timeout(TOOL_LIMIT),
        Effect.map((text) => ok(`Version ${/^ffmpeg version (\S+)/.exec(text)?.[1] ?? "unknown"}.`)),
        Effect.orElseSucceed(() =>
          warning(
            "Couldn't run it; it converts recordings other than WAV for speech recognition on this machine (the console's page converts its own), and voices that aren't MP3.",
            "Install it (`apt install ffmpeg`, `dnf install ffmpeg` or `brew install ffmpeg`), or set FFMPEG_COMMAND."
          )
        )
      )

      const speechModel = Effect.gen(function* () {
        const { sttProvider, sttModel, sttModelDir, vendorAKey } = settings
        if (sttProvider === "vendor_a") return vendorSpeechFinding(vendorAKey !== undefined)
        const model = Option.getOrElse(decodeModel(sttModel), () => "tiny" as const)
        const { bytes } = (yield* ModelFiles)[model]
        const isReady = yield* fs.stat(posix.join(sttModelDir, modelFileName(model))).pipe(
          Effect.map(({ size }) => Number(size) === bytes),
          Effect.orElseSucceed(() => false)
        )
        return localSpeechFinding(model, isReady)
      })

      const readCertificate = (name: string) =>
        fs.readFileString(posix.join(settings.installDir, "certs", name)).pipe(
          Effect.map((text): string | undefined => text),
          Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(undefined)),
          Effect.orElseSucceed(() => "unreadable" as const)
        )

      const certificate = Effect.gen(function* () {
        const files = { cert: yield* readCertificate("cert.pem"), key: yield* readCertificate("key.pem") }
        return certificateFinding(files, yield* Clock.currentTimeMillis)
      })

      const board = Effect.gen(function* () {
        if (settings.boardUrl === undefined) return undefined
        const { boardDatabaseVersion } = yield* Effect.promise(() => import("../../board/store/boardDatabase.ts"))
        return yield* boardDatabaseVersion(settings.boardUrl).pipe(
          Effect.map((version) => ok(`Shared with other consoles, on PostgreSQL ${version}.`)),
          Effect.catch(({ message }) =>
            Effect.succeed(problem(`${message.charAt(0).toUpperCase()}${message.slice(1)}.`, BOARD_FIX))
          )
        )
      })

      const examine = Effect.gen(function* () {
        const found = yield* Effect.all(
          {
            link,
            ffmpeg,
            certificate,
            speechModel,
            port: portUse(settings).pipe(Effect.provideService(HttpClient.HttpClient, http)),
            board,
            home: factsOf(settings.svcHome),
            gatewayHome: factsOf(settings.gatewayHome),
            workspace: factsOf(posix.join(settings.gatewayHome, "workspace"))
          },
          { concurrency: "unbounded" }
        )
        const { status, connection } = found.link
        const proxy = proxyFinding(Option.isSome(trust) ? trust.value.proxySigns() : [])
        const checks: ReadonlyArray<readonly [DoctorCheck["id"], string, Finding]> = [
          ["node", "Node", nodeFinding(process.versions.node)],
          ["token", "Gateway token", tokenFinding(settings.gatewayToken !== undefined)],
          ["gateway", "Gateway", gatewayFinding(settings.gatewayUrl, status, connection)],
          ["device", "Device approval", deviceFinding(status, connection)],
          ["gateway-files", "Gateway's files", gatewayFilesFinding(found.gatewayHome, found.workspace)],
          ["home", "Console's folder", homeFinding(found.home)],
          ...(found.board === undefined ? [] : ([["board", "Board", found.board]] as const)),
          ["port", "Port", portFinding(settings, found.port)],
          ["signin", "Sign-in", signInFinding(settings)],
          ["certificate", "Certificate", found.certificate],
          ...(proxy === undefined ? [] : ([["proxy", "Proxy", proxy]] as const)),
          ["ffmpeg", "ffmpeg", settings.isDemo ? forDemo(found.ffmpeg) : found.ffmpeg],
          ["speech-model", "Speech model", settings.isDemo ? forDemo(found.speechModel) : found.speechModel]
        ]
        return checks.map(([id, title, finding]): DoctorCheck => ({ id, title, ...finding }))
      }).pipe(Effect.withSpan("Doctor.examine"))

      return Doctor.of({ examine })
    })
  )
}
