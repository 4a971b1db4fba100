import { writeFileSync } from "node:fs"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, Redacted, Result, Schema, type Scope } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import { dialUpstream } from "../../src/http/gateway/proxy/dialUpstream.ts"
import { GatewayTools } from "../../src/services/gateway/client/GatewayTools.ts"
import { openWebSocket } from "../../src/services/gateway/client/gatewaySocket.ts"
import { GatewayMedia } from "../../src/services/gateway/media/GatewayMedia.ts"
import { portUse } from "../../src/services/machine/doctor/lookAtPrograms.ts"
import { Releases } from "../../src/services/machine/update/Releases.ts"
import { UpdateTarget } from "../../src/services/machine/update/UpdateTarget.ts"
import { HealthProbe } from "../../src/services/machine/update/updateSteps.ts"
import { outgoingHttp } from "../../src/services/platform/outgoing/OutgoingHttp.ts"
import { Settings, type SettingsShape } from "../../src/services/platform/settings/Settings.ts"
import { PushTransport } from "../../src/services/push/PushTransport.ts"
import { readAgentALimits } from "../../src/services/usage/limits/agentALimits.ts"
import { fetchModel } from "../../src/services/voice/stt/fetchModel.ts"
import { temporaryFolder } from "./fileServices.ts"
import { testSettings } from "./testSettings.ts"
import { makeSttApp } from "./voice/sttApp.ts"

/** The secrets that only the configured address may receive. */
export const SECRET = "not-for-others"

const secret = Redacted.make(SECRET)
type VoiceApp = Effect.Success<ReturnType<typeof makeSttApp>>

export type Asking = Effect.Effect<unknown, unknown, HttpClient.HttpClient | Scope.Scope>

/** A client's report of a response. */
export const saidBy = (asking: Asking) =>
  asking.pipe(
    Effect.result,
    Effect.map((result) => {
      const outcome = Result.isFailure(result) ? result.failure : result.success
      return typeof outcome === "object" && outcome !== null && "message" in outcome ? String(outcome.message) : ""
    }),
    Effect.provide(FetchHttpClient.layer)
  )

const withSettings = <A>(
  layer: Layer.Layer<A, never, Settings | HttpClient.HttpClient>,
  use: Effect.Effect<unknown, unknown, A>,
  overrides: Partial<SettingsShape>
) => use.pipe(Effect.provide(layer.pipe(Layer.provide(Settings.layerOf(testSettings(overrides))))))

const updateTarget = (url: string) =>
  Layer.succeed(UpdateTarget, {
    directory: "/x",
    svcHome: "/y",
    address: url,
    path: undefined,
    allowedSigners: undefined,
    releasesUrl: url
  })

const inFolder = <E, R>(use: (folder: string) => Effect.Effect<unknown, E, R>) =>
  Effect.flatMap(temporaryFolder, use).pipe(Effect.provide(NodeServices.layer))

const tools = (gatewayUrl: string) =>
  withSettings(
    GatewayTools.layer,
    Effect.flatMap(GatewayTools, ({ invoke }) => invoke("memory_store", {}, Schema.Unknown)),
    { gatewayUrl, gatewayToken: secret }
  )

const media = (gatewayUrl: string, use: (_: GatewayMedia["Service"]) => Effect.Effect<unknown, unknown>) =>
  withSettings(GatewayMedia.layer, Effect.flatMap(GatewayMedia, use), { gatewayUrl, gatewayToken: secret })

const said = { onText: () => {}, onPing: () => {}, onClose: () => {} }

/** The whole app, with every vendor at the address. */
const voiceApp = (url: string, use: (app: VoiceApp) => Effect.Effect<{ readonly status: number }>) =>
  makeSttApp({
    vendorABaseUrl: url,
    vendorBBaseUrl: url,
    freeBaseUrl: url.replace("http", "ws"),
    vendorAKey: secret,
    vendorBToken: secret,
    sttProvider: "vendor_a"
  }).pipe(
    Effect.flatMap(use),
    Effect.map((answer) => ({ message: JSON.stringify(answer) }))
  )

const speech = (url: string, provider: string) => voiceApp(url, ({ speak }) => speak({ text: SECRET, provider }))

/** Every outgoing request of the console, pointed at an address. */
export const OUTGOING: Readonly<Record<string, (url: string) => Asking>> = {
  "the gateway's tools": tools,
  "a file an agent sent": (url) => media(url, ({ outgoing }) => outgoing("agent:main:main", "a", {})),
  "a file a person sent": (url) => media(url, ({ inbound }) => inbound("a.png", {})),
  "the gateway's socket": (url) => openWebSocket(url.replace("http", "ws"), said),
  "the page's socket to the gateway": (url) => dialUpstream(new URL(url.replace("http", "ws"))),
  "the limits of an agent": (url) =>
    inFolder((folder) => {
      writeFileSync(`${folder}/auth.json`, JSON.stringify({ tokens: { access_token: SECRET, account_id: SECRET } }))
      return readAgentALimits(testSettings({ agentADir: folder, agentABaseUrl: url }))
    }),
  "the first vendor's speech": (url) => speech(url, "vendor_a"),
  "the first vendor's recognition": (url) =>
    voiceApp(url, ({ upload }) => upload({ bytes: Buffer.from(SECRET), type: "audio/wav" })),
  "the second vendor's speech": (url) => speech(url, "vendor_b"),
  "the free voices": (url) => speech(url, "free"),
  "the latest release": (url) =>
    Effect.flatMap(Releases, ({ latest }) => latest("https://github.com/owner/name.git")).pipe(
      Effect.provide(Releases.layer.pipe(Layer.provide(updateTarget(url))))
    ),
  "the running console's health": (url) =>
    Effect.flatMap(HealthProbe, ({ runningVersion }) => runningVersion).pipe(
      Effect.provide(HealthProbe.layer.pipe(Layer.provide(updateTarget(url))))
    ),
  "the port of the console": (url) => portUse({ host: "127.0.0.1", port: Number(new URL(url).port), basePath: "" }),
  "a notification": (url) =>
    Effect.flatMap(PushTransport, ({ post }) =>
      post({ url, isTrusted: true, headers: { authorization: SECRET }, body: Buffer.from(SECRET) })
    ).pipe(Effect.provide(PushTransport.layer)),
  "a speech model": (url) =>
    inFolder((folder) =>
      Effect.flatMap(outgoingHttp, (client) =>
        fetchModel(client, {
          url,
          path: `${folder}/model.bin`,
          file: { bytes: 4, sha256: "" },
          progress: () => Effect.void
        })
      )
    )
}
