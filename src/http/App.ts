import { Layer } from "effect"
import { HttpRouter, type HttpServerError } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "./Api.ts"
import { AgentTokensHandlers } from "./access/agents/AgentTokensHandlers.ts"
import { GatewayAgentsHandlers } from "./access/agents/GatewayAgentsHandlers.ts"
import { AuthHandlers } from "./access/auth/AuthHandlers.ts"
import { BoardHandlers } from "./board/BoardHandlers.ts"
import { GuardedRouter } from "./GuardedRouter.ts"
import { CronsHandlers } from "./gateway/crons/CronsHandlers.ts"
import { DraftsHandlers } from "./gateway/drafts/DraftsHandlers.ts"
import { GatewaysHandlers } from "./gateway/gateways/GatewaysHandlers.ts"
import { InboxHandlers } from "./gateway/inbox/InboxHandlers.ts"
import { OutboxHandlers } from "./gateway/outbox/OutboxHandlers.ts"
import { ProxyRoute } from "./gateway/proxy/ProxyRoute.ts"
import { PushHandlers } from "./gateway/push/PushHandlers.ts"
import { GatewayOpsHandlers } from "./gateway/sessions/GatewayOpsHandlers.ts"
import { SessionMarksHandlers } from "./gateway/sessions/SessionMarksHandlers.ts"
import { SkillsHandlers } from "./gateway/skills/SkillsHandlers.ts"
import { AgentLogHandlers } from "./knowledge/agentlog/AgentLogHandlers.ts"
import { AgentsHandlers } from "./knowledge/agents/AgentsHandlers.ts"
import { DocumentsHandlers } from "./knowledge/documents/DocumentsHandlers.ts"
import { FilesHandlers } from "./knowledge/files/FilesHandlers.ts"
import { GitHandlers } from "./knowledge/git/GitHandlers.ts"
import { ImagesHandlers } from "./knowledge/images/ImagesHandlers.ts"
import { MediaHandlers } from "./knowledge/media/MediaHandlers.ts"
import { MemoryHandlers } from "./knowledge/memory/MemoryHandlers.ts"
import { UploadsHandlers } from "./knowledge/uploads/UploadsHandlers.ts"
import { BackupRoute } from "./machine/backup/BackupRoute.ts"
import { DoctorHandlers } from "./machine/doctor/DoctorHandlers.ts"
import { SystemHandlers } from "./machine/system/SystemHandlers.ts"
import { McpRoute } from "./mcp/McpRoute.ts"
import { requestPipeline } from "./middleware/requestPipeline.ts"
import { DocsRoutes } from "./platform/docs/DocsRoutes.ts"
import { EventRoutes } from "./platform/events/EventRoutes.ts"
import { MetricsRoute } from "./platform/metrics/MetricsRoute.ts"
import { PreviewRoute } from "./platform/preview/PreviewRoute.ts"
import { StaticRoutes } from "./platform/static/StaticRoutes.ts"
import { RouteTable } from "./RouteTable.ts"
import { SearchHandlers } from "./search/SearchHandlers.ts"
import { LimitsHandlers } from "./usage/limits/LimitsHandlers.ts"
import { UsageHandlers } from "./usage/UsageHandlers.ts"
import { LanguageHandlers } from "./voice/language/LanguageHandlers.ts"
import { PhrasesHandlers } from "./voice/phrases/PhrasesHandlers.ts"
import { VoiceReachHandlers } from "./voice/reach/VoiceReachHandlers.ts"
import { SttHandlers } from "./voice/stt/SttHandlers.ts"
import { TtsHandlers } from "./voice/tts/TtsHandlers.ts"

const Middleware = HttpRouter.middleware<{ handles: HttpServerError.HttpServerError }>()(requestPipeline, {
  global: true
})

const ApiRoutes = HttpApiBuilder.layer(Api).pipe(
  Layer.provide([
    SystemHandlers,
    AuthHandlers,
    AgentTokensHandlers,
    GatewayAgentsHandlers,
    BoardHandlers,
    AgentsHandlers,
    MemoryHandlers,
    DocumentsHandlers,
    FilesHandlers,
    UploadsHandlers,
    ImagesHandlers,
    GitHandlers,
    AgentLogHandlers,
    GatewaysHandlers,
    GatewayOpsHandlers,
    PushHandlers,
    InboxHandlers,
    OutboxHandlers,
    DraftsHandlers,
    SessionMarksHandlers,
    SearchHandlers,
    MediaHandlers,
    CronsHandlers,
    SkillsHandlers,
    UsageHandlers,
    LimitsHandlers,
    VoiceReachHandlers,
    LanguageHandlers,
    PhrasesHandlers,
    TtsHandlers,
    DoctorHandlers,
    SttHandlers
  ])
)

/** Routes outside the contract: streams, upgrades, files. */
const RawRoutes = Layer.mergeAll(
  ProxyRoute,
  McpRoute,
  EventRoutes,
  DocsRoutes,
  MetricsRoute,
  BackupRoute,
  PreviewRoute,
  StaticRoutes
)

/** Every route behind every middleware, enrolled in the table. */
export const appWith = (table: Layer.Layer<RouteTable>) =>
  Layer.mergeAll(ApiRoutes, RawRoutes).pipe(
    Layer.provideMerge(Middleware),
    Layer.provide(GuardedRouter),
    Layer.provide(table)
  )

/** The whole app. */
export const App = appWith(RouteTable.layer)
