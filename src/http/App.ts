import { Layer } from "effect"
import { HttpRouter, type HttpServerError } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "./Api.ts"
import { AgentTokensHandlers, AuthHandlers, GatewayAgentsHandlers } from "./access/AccessHandlers.ts"
import { BoardHandlers } from "./board/BoardHandlers.ts"
import { RoutinesHandlers } from "./board/RoutinesHandlers.ts"
import { BudgetsHandlers } from "./budgets/BudgetsHandlers.ts"
import { GuardedRouter } from "./GuardedRouter.ts"
import { ConversationsHandlers } from "./gateway/conversations/ConversationsHandlers.ts"
import {
  CronsHandlers,
  DraftsHandlers,
  GatewayOpsHandlers,
  GatewaysHandlers,
  InboxHandlers,
  OutboxHandlers,
  PushHandlers,
  SessionMarksHandlers,
  SessionsHandlers,
  SkillsHandlers
} from "./gateway/GatewayHandlers.ts"
import { ProxyRoute } from "./gateway/proxy/ProxyRoute.ts"
import {
  AgentLogHandlers,
  AgentsHandlers,
  DocumentsHandlers,
  FilesHandlers,
  GitHandlers,
  ImagesHandlers,
  MediaHandlers,
  MemoryHandlers,
  UploadsHandlers
} from "./knowledge/KnowledgeHandlers.ts"
import { LiveRoute } from "./live/LiveRoute.ts"
import { BackupRoute } from "./machine/backup/BackupRoute.ts"
import { DoctorHandlers, SystemHandlers } from "./machine/MachineHandlers.ts"
import { McpRoute } from "./mcp/McpRoute.ts"
import { requestPipeline } from "./middleware/requestPipeline.ts"
import { DocsRoutes } from "./platform/docs/DocsRoutes.ts"
import { EventRoutes } from "./platform/events/EventRoutes.ts"
import { MetricsRoute } from "./platform/metrics/MetricsRoute.ts"
import { PreviewRoute } from "./platform/preview/PreviewRoute.ts"
import { StaticRoutes } from "./platform/static/StaticRoutes.ts"
import { RouteTable } from "./RouteTable.ts"
import { SearchHandlers } from "./search/SearchHandlers.ts"
import { LimitsHandlers, UsageHandlers } from "./usage/UsageHandlers.ts"
import {
  LanguageHandlers,
  PhrasesHandlers,
  SttHandlers,
  TtsHandlers,
  VoiceReachHandlers
} from "./voice/VoiceHandlers.ts"

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
    RoutinesHandlers,
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
    BudgetsHandlers,
    DraftsHandlers,
    SessionMarksHandlers,
    SessionsHandlers,
    ConversationsHandlers,
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
  LiveRoute,
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
