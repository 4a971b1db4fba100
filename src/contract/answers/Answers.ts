import type { Why } from "../failure.ts"
import type { AccessAnswers } from "./AccessAnswers.ts"
import type { AgentAnswers } from "./AgentAnswers.ts"
import type { DraftAnswers } from "./DraftAnswers.ts"
import type { GatewayAnswers } from "./GatewayAnswers.ts"
import type { KnowledgeAnswers } from "./KnowledgeAnswers.ts"
import type { MachineAnswers } from "./MachineAnswers.ts"
import type { PushAnswers } from "./PushAnswers.ts"
import type { SessionAnswers } from "./SessionAnswers.ts"
import type { UploadAnswers } from "./UploadAnswers.ts"
import type { UsageAnswers } from "./UsageAnswers.ts"
import type { VoiceAnswers } from "./VoiceAnswers.ts"

/** Every JSON answer of the server by its request; the server's declarations are compared with it when it is compiled. */
export interface Answers
  extends AccessAnswers,
    AgentAnswers,
    DraftAnswers,
    GatewayAnswers,
    KnowledgeAnswers,
    MachineAnswers,
    PushAnswers,
    UploadAnswers,
    SessionAnswers,
    UsageAnswers,
    VoiceAnswers {}

/** The body of every answer that is an error. */
export interface ErrorAnswer {
  /** A code, or the text itself for the few that are fixed. */
  readonly error: string
  /** One sentence for people. */
  readonly details?: string
  /** The same for programs. */
  readonly why?: Why
}
