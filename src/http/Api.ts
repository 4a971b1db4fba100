import { HttpApi, OpenApi } from "effect/http-api"
import { packageInfo } from "../services/version/packageInfo.ts"
import { AgentLogApi } from "./agentlog/AgentLogApi.ts"
import { AuthApi } from "./auth/AuthApi.ts"
import { BoardApi } from "./board/BoardApi.ts"
import { CronsApi } from "./crons/CronsApi.ts"
import { DoctorApi } from "./doctor/DoctorApi.ts"
import { DocumentsApi } from "./documents/DocumentsApi.ts"
import { FilesApi } from "./files/FilesApi.ts"
import { GatewayOpsApi } from "./gateway-ops/GatewayOpsApi.ts"
import { GitApi } from "./git/GitApi.ts"
import { ImagesApi } from "./images/ImagesApi.ts"
import { LanguageApi } from "./language/LanguageApi.ts"
import { LimitsApi } from "./limits/LimitsApi.ts"
import { MemoryApi } from "./memory/MemoryApi.ts"
import { PhrasesApi } from "./phrases/PhrasesApi.ts"
import { SkillsApi } from "./skills/SkillsApi.ts"
import { SttApi } from "./stt/SttApi.ts"
import { SystemApi } from "./system/SystemApi.ts"
import { TtsApi } from "./tts/TtsApi.ts"
import { UsageApi } from "./usage/UsageApi.ts"

/** The whole contract: every JSON endpoint's parameters, body, answers and errors. */
export class Api extends HttpApi.make("agent-console")
  .add(SystemApi)
  .add(AuthApi)
  .add(BoardApi)
  .add(MemoryApi)
  .add(DocumentsApi)
  .add(FilesApi)
  .add(ImagesApi)
  .add(GitApi)
  .add(AgentLogApi)
  .add(GatewayOpsApi)
  .add(CronsApi)
  .add(SkillsApi)
  .add(UsageApi)
  .add(LimitsApi)
  .add(LanguageApi)
  .add(PhrasesApi)
  .add(TtsApi)
  .add(DoctorApi)
  .add(SttApi)
  .annotateMerge(OpenApi.annotations({ title: "Agent Console", version: packageInfo.version })) {}
