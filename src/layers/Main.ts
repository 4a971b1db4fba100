import { NodeServices } from "@effect/platform-node"
import { Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { EventHub } from "../http/events/EventHub.ts"
import { AgentLog } from "../services/agentlog/AgentLog.ts"
import { Auth } from "../services/auth/Auth.ts"
import { RevokedSessions } from "../services/auth/RevokedSessions.ts"
import { Board } from "../services/board/Board.ts"
import { BoardRuns } from "../services/board/BoardRuns.ts"
import { Crons } from "../services/crons/Crons.ts"
import { DeviceIdentity } from "../services/device/DeviceIdentity.ts"
import { Doctor } from "../services/doctor/Doctor.ts"
import { Documents } from "../services/documents/Documents.ts"
import { EventBus } from "../services/events/EventBus.ts"
import { PathLocks } from "../services/files/PathLocks.ts"
import { TextFiles } from "../services/files/TextFiles.ts"
import { WorkspaceFiles } from "../services/files/WorkspaceFiles.ts"
import { GatewayCalls } from "../services/gateway/GatewayCalls.ts"
import { GatewayCli } from "../services/gateway/GatewayCli.ts"
import { GatewayClient } from "../services/gateway/GatewayClient.ts"
import { GatewayTools } from "../services/gateway/GatewayTools.ts"
import { GitInfo } from "../services/git/GitInfo.ts"
import { Images } from "../services/images/Images.ts"
import { VoiceLanguage } from "../services/language/VoiceLanguage.ts"
import { AgentLimits } from "../services/limits/AgentLimits.ts"
import { Memory } from "../services/memory/Memory.ts"
import { Models } from "../services/models/Models.ts"
import { VoicePhrases } from "../services/phrases/VoicePhrases.ts"
import { RateLimiter } from "../services/ratelimit/RateLimiter.ts"
import { SessionSettings } from "../services/sessions/SessionSettings.ts"
import { EnvFile } from "../services/settings/EnvFile.ts"
import { Skills } from "../services/skills/Skills.ts"
import { AnsweringLive } from "../services/startup/Answering.ts"
import { SttConfig } from "../services/stt/SttConfig.ts"
import { SttModels } from "../services/stt/SttModels.ts"
import { SttSettings } from "../services/stt/SttSettings.ts"
import { Transcription } from "../services/stt/Transcription.ts"
import { Speech } from "../services/tts/Speech.ts"
import { TtsSettings } from "../services/tts/TtsSettings.ts"
import { TokenUsage } from "../services/usage/TokenUsage.ts"
import { FileWatcher } from "../services/watch/FileWatcher.ts"
import { Servers } from "./Servers.ts"
import { SqliteLive } from "./Sqlite.ts"
import { UpdateCheckLive } from "./UpdateCheckLive.ts"

/** What the other services stand on. */
export const Foundations = Layer.mergeAll(EventBus.layer, DeviceIdentity.layer)

const AuthLayer = Auth.layer.pipe(Layer.provide(RevokedSessions.layer))

const BoardLayer = BoardRuns.layer.pipe(Layer.provideMerge(Board.layer), Layer.provideMerge(SqliteLive))

const FileLayer = TextFiles.layer.pipe(Layer.provideMerge(PathLocks.layer))

const GatewayToolsLayer = GatewayTools.layer.pipe(Layer.provide(FetchHttpClient.layer))

const KnowledgeLayer = Layer.mergeAll(
  Memory.layer.pipe(Layer.provide(GatewayToolsLayer)),
  Documents.layer,
  AgentLog.layer,
  WorkspaceFiles.layer,
  Images.layer,
  GitInfo.layer,
  FileWatcher
).pipe(Layer.provideMerge(FileLayer))

/** Speaking, listening, languages and phrases. */
const VoiceLayer = Layer.mergeAll(VoicePhrases.layer, Speech.layer, Transcription.layer, SttConfig.layer).pipe(
  Layer.provideMerge(SttModels.layer),
  Layer.provideMerge(SttSettings.layer),
  Layer.provideMerge(TtsSettings.layer),
  Layer.provideMerge(VoiceLanguage.layer),
  Layer.provide(EnvFile.layer),
  Layer.provide(FetchHttpClient.layer),
  Layer.provide(PathLocks.layer)
)

/** What the console relays to the gateway. */
const GatewayOpsLayer = Layer.mergeAll(Models.layer, SessionSettings.layer, Crons.layer, Skills.layer).pipe(
  Layer.provide(GatewayToolsLayer),
  Layer.provide(GatewayCalls.layer.pipe(Layer.provideMerge(GatewayCli.layer)))
)

/** Every service of the console; needs Settings, the gateway's client, the foundations, the front and the platform. */
export const Services = Layer.mergeAll(
  RateLimiter.layer,
  AuthLayer,
  BoardLayer,
  KnowledgeLayer,
  GatewayOpsLayer,
  TokenUsage.layer,
  VoiceLayer,
  UpdateCheckLive,
  AgentLimits.layer.pipe(Layer.provide(FetchHttpClient.layer)),
  Doctor.layer.pipe(Layer.provide(FetchHttpClient.layer)),
  EventHub.layer
)

/** The production graph; needs Settings and the front. Hands out the ports and the gateway's client for the start banner. */
export const Main = Servers.pipe(
  Layer.provide(Services),
  Layer.provideMerge(GatewayClient.layer),
  Layer.provide(Foundations),
  Layer.provide(AnsweringLive),
  Layer.provide(NodeServices.layer)
)
