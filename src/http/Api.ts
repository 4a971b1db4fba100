import { HttpApi, HttpApiBuilder, type HttpApiGroup, OpenApi } from "effect/http-api"
import { packageInfo } from "../services/platform/version/packageInfo.ts"
import { AgentTokensApi } from "./access/agents/AgentTokensApi.ts"
import { GatewayAgentsApi } from "./access/agents/GatewayAgentsApi.ts"
import { AuthApi } from "./access/auth/AuthApi.ts"
import { BoardApi } from "./board/BoardApi.ts"
import { RoutinesApi } from "./board/RoutinesApi.ts"
import { BudgetsApi } from "./budgets/BudgetsApi.ts"
import { ConversationsApi } from "./gateway/conversations/ConversationsApi.ts"
import { CronsApi } from "./gateway/crons/CronsApi.ts"
import { DraftsApi } from "./gateway/drafts/DraftsApi.ts"
import { GatewaysApi } from "./gateway/gateways/GatewaysApi.ts"
import { InboxApi } from "./gateway/inbox/InboxApi.ts"
import { OutboxApi } from "./gateway/outbox/OutboxApi.ts"
import { PushApi } from "./gateway/push/PushApi.ts"
import { GatewayOpsApi } from "./gateway/sessions/GatewayOpsApi.ts"
import { SessionMarksApi } from "./gateway/sessions/SessionMarksApi.ts"
import { SessionsApi } from "./gateway/sessions/SessionsApi.ts"
import { SkillsApi } from "./gateway/skills/SkillsApi.ts"
import { AgentLogApi } from "./knowledge/agentlog/AgentLogApi.ts"
import { AgentsApi } from "./knowledge/agents/AgentsApi.ts"
import { DocumentsApi } from "./knowledge/documents/DocumentsApi.ts"
import { FilesApi } from "./knowledge/files/FilesApi.ts"
import { GitApi } from "./knowledge/git/GitApi.ts"
import { ImagesApi } from "./knowledge/images/ImagesApi.ts"
import { MediaApi } from "./knowledge/media/MediaApi.ts"
import { MemoryApi } from "./knowledge/memory/MemoryApi.ts"
import { UploadsApi } from "./knowledge/uploads/UploadsApi.ts"
import { DoctorApi } from "./machine/doctor/DoctorApi.ts"
import { SystemApi } from "./machine/system/SystemApi.ts"
import { SearchApi } from "./search/SearchApi.ts"
import { LimitsApi } from "./usage/limits/LimitsApi.ts"
import { UsageApi } from "./usage/UsageApi.ts"
import { LanguageApi } from "./voice/language/LanguageApi.ts"
import { PhrasesApi } from "./voice/phrases/PhrasesApi.ts"
import { VoiceReachApi } from "./voice/reach/VoiceReachApi.ts"
import { SttApi } from "./voice/stt/SttApi.ts"
import { TtsApi } from "./voice/tts/TtsApi.ts"

/** The whole contract: every JSON endpoint's parameters, body, responses and errors. */
export class Api extends HttpApi.make("agent-console")
  .add(SystemApi)
  .add(AuthApi)
  .add(AgentTokensApi)
  .add(GatewayAgentsApi)
  .add(BoardApi)
  .add(RoutinesApi)
  .add(AgentsApi)
  .add(MemoryApi)
  .add(DocumentsApi)
  .add(FilesApi)
  .add(UploadsApi)
  .add(ImagesApi)
  .add(GitApi)
  .add(AgentLogApi)
  .add(GatewaysApi)
  .add(GatewayOpsApi)
  .add(SessionMarksApi)
  .add(SessionsApi)
  .add(ConversationsApi)
  .add(PushApi)
  .add(InboxApi)
  .add(OutboxApi)
  .add(BudgetsApi)
  .add(DraftsApi)
  .add(SearchApi)
  .add(MediaApi)
  .add(CronsApi)
  .add(SkillsApi)
  .add(UsageApi)
  .add(LimitsApi)
  .add(VoiceReachApi)
  .add(LanguageApi)
  .add(PhrasesApi)
  .add(TtsApi)
  .add(DoctorApi)
  .add(SttApi)
  .annotateMerge(OpenApi.annotations({ title: "Agent Console", version: packageInfo.version })) {}

type Groups<A = typeof Api> = A extends HttpApi.HttpApi<string, infer Of> ? Of : never

/** The handlers of one group of the contract's routes. */
export const routeHandlers = <const Id extends HttpApiGroup.Identifier<Groups>, Built>(
  id: Id,
  build: (
    handlers: HttpApiBuilder.Handlers.FromGroup<HttpApiGroup.WithIdentifier<Groups, Id>>
  ) => HttpApiBuilder.Handlers.ValidateReturn<Built>
) => HttpApiBuilder.group(Api, id, build)
