import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { LiveSockets } from "../http/live/LiveSockets.ts"
import { EventHub } from "../http/platform/events/EventHub.ts"
import { AgentTokens } from "../services/access/agents/AgentTokens.ts"
import { GatewayAgents } from "../services/access/agents/GatewayAgents.ts"
import { RunTokens } from "../services/access/agents/RunTokens.ts"
import { Auth } from "../services/access/auth/Auth.ts"
import { RevokedSessions } from "../services/access/auth/RevokedSessions.ts"
import { LocalAccess } from "../services/access/local/LocalAccess.ts"
import { RateLimiter } from "../services/access/ratelimit/RateLimiter.ts"
import { AutoStarter } from "../services/board/automatic/AutoStarter.ts"
import { Board } from "../services/board/Board.ts"
import { BoardLog } from "../services/board/BoardLog.ts"
import { PersonName } from "../services/board/BoardPerson.ts"
import { SessionProposals } from "../services/board/proposals/SessionProposals.ts"
import { Routines } from "../services/board/routines/Routines.ts"
import { BoardRuns } from "../services/board/runs/BoardRuns.ts"
import { gatewayName } from "../services/board/store/BoardStore.ts"
import { SqliteBoard } from "../services/board/store/sqliteBoard.ts"
import { Templates } from "../services/board/templates/Templates.ts"
import { Budgets } from "../services/budgets/Budgets.ts"
import { ConversationCommands } from "../services/conversations/ConversationCommands.ts"
import { Conversations } from "../services/conversations/Conversations.ts"
import { Drafts } from "../services/drafts/Drafts.ts"
import { GatewayCalls } from "../services/gateway/client/GatewayCalls.ts"
import { GatewayCli } from "../services/gateway/client/GatewayCli.ts"
import { GatewayClient } from "../services/gateway/client/GatewayClient.ts"
import { GatewayTools } from "../services/gateway/client/GatewayTools.ts"
import { LinkWakeLive } from "../services/gateway/client/LinkWake.ts"
import { Crons } from "../services/gateway/crons/Crons.ts"
import { DeviceIdentity } from "../services/gateway/device/DeviceIdentity.ts"
import { GatewayFeed } from "../services/gateway/feed/GatewayFeed.ts"
import { GatewayMedia } from "../services/gateway/media/GatewayMedia.ts"
import { Models } from "../services/gateway/models/Models.ts"
import { forgetRemoved } from "../services/gateway/registry/EveryGateway.ts"
import { Gateways, GatewaysReach } from "../services/gateway/registry/Gateways.ts"
import { SessionMarks } from "../services/gateway/sessions/SessionMarks.ts"
import { SessionSettings } from "../services/gateway/sessions/SessionSettings.ts"
import { Skills } from "../services/gateway/skills/Skills.ts"
import { StartHoldsLive } from "../services/holds/StartHolds.ts"
import { Inbox } from "../services/inbox/Inbox.ts"
import { AgentLog } from "../services/knowledge/agentlog/AgentLog.ts"
import { AgentWorkspaces } from "../services/knowledge/agents/AgentWorkspaces.ts"
import { Documents } from "../services/knowledge/documents/Documents.ts"
import { FileFinder } from "../services/knowledge/files/FileFinder.ts"
import { TextFiles } from "../services/knowledge/files/TextFiles.ts"
import { WorkspaceFiles } from "../services/knowledge/files/WorkspaceFiles.ts"
import { GitInfo } from "../services/knowledge/git/GitInfo.ts"
import { Images } from "../services/knowledge/images/Images.ts"
import { TranscriptImages } from "../services/knowledge/media/TranscriptImages.ts"
import { Memory } from "../services/knowledge/memory/Memory.ts"
import { WorkspaceTexts } from "../services/knowledge/texts/WorkspaceTexts.ts"
import { Uploads } from "../services/knowledge/uploads/Uploads.ts"
import { FileWatcher } from "../services/knowledge/watch/FileWatcher.ts"
import { Backups } from "../services/machine/backup/Backups.ts"
import { Doctor } from "../services/machine/doctor/Doctor.ts"
import { Outbox } from "../services/outbox/Outbox.ts"
import { SessionBeginningsLive } from "../services/outbox/SessionBeginnings.ts"
import { EventBus } from "../services/platform/events/EventBus.ts"
import { OutgoingHttp } from "../services/platform/outgoing/OutgoingHttp.ts"
import { OpenFilesWatch } from "../services/platform/process/openFiles.ts"
import { OwnLog } from "../services/platform/process/ownLog.ts"
import { ServerReadyLive } from "../services/platform/ServerReady.ts"
import { EnvFile } from "../services/platform/settings/EnvFile.ts"
import { Settings } from "../services/platform/settings/Settings.ts"
import { PathLocks } from "../services/platform/storage/PathLocks.ts"
import { followInbox } from "../services/push/followInbox.ts"
import { PushDevices } from "../services/push/PushDevices.ts"
import { PushSender } from "../services/push/PushSender.ts"
import { PushTransport } from "../services/push/PushTransport.ts"
import { Recipients } from "../services/push/Recipients.ts"
import { SeenItems } from "../services/push/SeenItems.ts"
import { VapidIdentity } from "../services/push/VapidIdentity.ts"
import { Search } from "../services/search/Search.ts"
import { SessionCommands } from "../services/sessions/SessionCommands.ts"
import { SessionLists } from "../services/sessions/SessionLists.ts"
import { SessionNews } from "../services/sessions/SessionNews.ts"
import { AgentLimits } from "../services/usage/limits/AgentLimits.ts"
import { UsageWindows } from "../services/usage/limits/UsageWindows.ts"
import { TokenUsage } from "../services/usage/TokenUsage.ts"
import { VoiceLanguage } from "../services/voice/language/VoiceLanguage.ts"
import { VoicePhrases } from "../services/voice/phrases/VoicePhrases.ts"
import { SttConfig } from "../services/voice/stt/SttConfig.ts"
import { SttModels } from "../services/voice/stt/SttModels.ts"
import { SttSettings } from "../services/voice/stt/SttSettings.ts"
import { Transcription } from "../services/voice/stt/Transcription.ts"
import { Speech } from "../services/voice/tts/Speech.ts"
import { TtsSettings } from "../services/voice/tts/TtsSettings.ts"
import { AddedGateways } from "./AddedGateways.ts"
import { FoundTokenLive } from "./FoundTokenLive.ts"
import { Servers } from "./Servers.ts"
import { SqliteLive } from "./Sqlite.ts"
import { UpdateCheckLive } from "./UpdateCheckLive.ts"

/** The foundations of the other services. */
export const Foundations = Layer.mergeAll(EventBus.layer, DeviceIdentity.layer, LinkWakeLive)

const AuthLayer = Auth.layer.pipe(Layer.provide(RevokedSessions.layer))

/** Agents that use the console as a tool. */
const AgentsLayer = GatewayAgents.layer.pipe(Layer.provideMerge(AgentTokens.layer), Layer.provide(SqliteLive))

/** The console's database, and up to where the gateway was read. */
const FeedLayer = GatewayFeed.layer.pipe(Layer.provideMerge(SqliteLive))

/** The board in the console's own file, or in the database that `BOARD_URL` names; only then its client is loaded. */
const BoardPlace = Layer.unwrap(
  Effect.gen(function* () {
    const { boardUrl, gatewayUrl } = yield* Settings
    if (boardUrl === undefined) return SqliteBoard
    const { deviceId: device } = yield* DeviceIdentity
    const { PostgresBoard } = yield* Effect.promise(() => import("../services/board/store/postgresBoard.ts"))
    const self = {
      device,
      owner: `${device}:${randomUUID()}`,
      name: hostname(),
      gateway: gatewayName(gatewayUrl, hostname())
    }
    return PostgresBoard({ url: boardUrl, self })
  })
)

/** The board on its store; one constant, so that it is built once. */
export const BoardStored = Board.layer.pipe(
  Layer.provide(StartHoldsLive),
  Layer.provide(
    Layer.effect(
      PersonName,
      Effect.map(Settings, ({ userName }) => userName)
    )
  ),
  Layer.provideMerge(BoardPlace)
)

const GatewayCallsLayer = GatewayCalls.layer.pipe(Layer.provideMerge(GatewayCli.layer))

/** What the console relays to the gateway. */
const GatewayOpsLayer = Layer.mergeAll(SessionSettings.layer, Crons.layer, Skills.layer).pipe(
  Layer.provideMerge(Models.layer),
  Layer.provide(GatewayTools.layer),
  Layer.provide(GatewayCallsLayer)
)

/** The gateway of the settings and those beside it. */
const GatewaysLayer = forgetRemoved.pipe(
  Layer.provideMerge(GatewaysReach),
  Layer.provideMerge(Gateways.layer),
  Layer.provide(AddedGateways),
  Layer.provide(GatewayOpsLayer),
  Layer.provide(GatewayMedia.layer),
  Layer.provide(GatewayTools.layer),
  Layer.provide(PathLocks.layer),
  Layer.provideMerge(FeedLayer)
)

const BoardLayer = Layer.mergeAll(BoardRuns.layer, SessionProposals, Routines.layer, Templates.layer).pipe(
  Layer.provide(StartHoldsLive),
  Layer.provideMerge(BoardStored),
  Layer.provideMerge(GatewaysLayer)
)

/** Messages on their way to agents. */
const OutboxLayer = Outbox.layer.pipe(
  Layer.provide(StartHoldsLive),
  Layer.provide(SessionBeginningsLive),
  Layer.provide(GatewaysLayer)
)

/** What people have begun to write. */
const DraftsLayer = Drafts.layer.pipe(Layer.provide(GatewaysLayer))

/** Which sessions are pinned, archived, in a group and read. */
const SessionMarksLayer = SessionMarks.layer.pipe(Layer.provide(GatewaysLayer))

/** What needs a person. */
const InboxLayer = Inbox.layer.pipe(Layer.provide(BoardLayer))

/** The sessions of all gateways. */
const SessionListsLayer = SessionLists.layer.pipe(
  Layer.provide([SessionMarksLayer, InboxLayer]),
  Layer.provide(GatewaysLayer)
)

/** What happens in sessions, and what a person does with one. */
const SessionsLayer = SessionNews.pipe(
  Layer.provideMerge(SessionCommands.layer),
  Layer.provideMerge(SessionListsLayer),
  Layer.provide(SessionMarksLayer),
  Layer.provide(GatewaysLayer)
)

const UsageLayer = TokenUsage.layer.pipe(Layer.provide(GatewaysLayer))

/** What agents may spend. */
const BudgetsLayer = Budgets.layer.pipe(
  Layer.provide(Layer.mergeAll(InboxLayer, OutboxLayer, UsageLayer)),
  Layer.provide(StartHoldsLive),
  Layer.provide(BoardLayer)
)

const FileLayer = TextFiles.layer.pipe(Layer.provideMerge(PathLocks.layer))

const KnowledgeLayer = Layer.mergeAll(
  Memory.layer,
  Documents.layer,
  AgentLog.layer,
  WorkspaceFiles.layer,
  Uploads.layer,
  FileFinder.layer,
  Images.layer,
  GitInfo.layer,
  FileWatcher
).pipe(
  Layer.provideMerge(WorkspaceTexts.layer.pipe(Layer.provide(GatewaysLayer), Layer.provide(GatewayTools.layer))),
  Layer.provideMerge(AgentWorkspaces.layer.pipe(Layer.provide(GatewayCallsLayer))),
  Layer.provideMerge(FileLayer)
)

/** Pictures and recordings of conversations. */
const MediaLayer = TranscriptImages.layer

/** Which speech recognition is chosen now; for the voice and for who checks it. */
const SpeechChoice = SttSettings.layer.pipe(Layer.provide(EnvFile.layer), Layer.provide(PathLocks.layer))

/** Text-to-speech, speech-to-text, languages and phrases. */
const VoiceLayer = Layer.mergeAll(VoicePhrases.layer, Speech.layer, Transcription.layer, SttConfig.layer).pipe(
  Layer.provideMerge(SttModels.layer),
  Layer.provideMerge(SpeechChoice),
  Layer.provideMerge(TtsSettings.layer),
  Layer.provideMerge(VoiceLanguage.layer),
  Layer.provide(EnvFile.layer),
  Layer.provide(PathLocks.layer)
)

/** Notifications to devices and to what the settings name. */
const PushLayer = followInbox.pipe(
  Layer.provide(InboxLayer),
  Layer.provideMerge(PushSender.layer),
  Layer.provide(Recipients.layer),
  Layer.provide(PushTransport.layer),
  Layer.provideMerge(Layer.mergeAll(PushDevices.layer, SeenItems.layer).pipe(Layer.provideMerge(VapidIdentity.layer))),
  Layer.provide(SqliteLive)
)

/** The conversations that somebody looks at. */
const ConversationsLayer = ConversationCommands.layer.pipe(
  Layer.provideMerge(Conversations.layer),
  Layer.provide(OutboxLayer),
  Layer.provide(GatewaysLayer)
)

/** What finds words in all of it. */
const SearchLayer = Search.layer.pipe(Layer.provide(BoardLayer), Layer.provide(KnowledgeLayer))

/** Cards that start by themselves. */
const AutoStarterLayer = AutoStarter.pipe(
  Layer.provide(UsageWindows.pipe(Layer.provide(AgentLimits.layer))),
  Layer.provide(StartHoldsLive),
  Layer.provide(BoardLayer)
)

/** Tokens of agents that end with a run. */
const RunTokensLayer = RunTokens.pipe(Layer.provide(AgentsLayer), Layer.provide(BoardLayer))

const BoardLogLayer = BoardLog.pipe(Layer.provide(BoardLayer), Layer.provide(KnowledgeLayer))

/** Every service; needs Settings, the gateway client, an HTTP client, the foundations, the early listener and the platform. */
export const Services = Layer.mergeAll(
  RateLimiter.layer,
  AuthLayer,
  AgentsLayer,
  LocalAccess.layer,
  BoardLayer,
  KnowledgeLayer,
  BoardLogLayer,
  AutoStarterLayer,
  RunTokensLayer,
  InboxLayer,
  BudgetsLayer,
  OutboxLayer,
  DraftsLayer,
  SessionMarksLayer,
  SessionsLayer,
  SearchLayer,
  GatewayOpsLayer,
  GatewaysLayer,
  PushLayer,
  MediaLayer,
  UsageLayer,
  VoiceLayer,
  UpdateCheckLive,
  AgentLimits.layer,
  Doctor.layer.pipe(Layer.provide([SqliteLive, SpeechChoice, AuthLayer, BudgetsLayer])),
  Backups.layer.pipe(Layer.provide(PathLocks.layer)),
  LiveSockets.layer.pipe(
    Layer.provide([GatewaysLayer, SessionListsLayer, ConversationsLayer]),
    Layer.provideMerge(EventHub.layer)
  ),
  ConversationsLayer,
  OpenFilesWatch,
  OwnLog
)

/** The production graph; needs Settings and the listeners. Exposes the ports and the gateway client for the start banner. */
export const Main = Servers.pipe(
  Layer.provide(Services),
  Layer.provideMerge(GatewayClient.layer),
  Layer.provide(Foundations),
  Layer.provide(FoundTokenLive),
  Layer.provide(ServerReadyLive),
  Layer.provide(OutgoingHttp),
  Layer.provide(NodeServices.layer)
)
