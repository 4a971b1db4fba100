import { Schema } from "effect"
import { AgentId } from "../../../services/knowledge/agents/gatewayAgents.ts"

/** Whose memory, documents or files to use; the default agent's if omitted. */
export const agentQuery = { agent: Schema.optionalKey(AgentId) }
