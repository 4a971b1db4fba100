import { Schema } from "effect"
import { AgentId } from "../../../contract/schema/knowledge.ts"
import { gatewayQuery } from "../../serviceErrors.ts"

/** Whose memory, documents or files to use; the default agent's if omitted. */
export const agentQuery = { agent: Schema.optionalKey(AgentId) }

/** The same for what a gateway hands out itself, so that it may be an added one. */
export const ownerQuery = { ...agentQuery, ...gatewayQuery }
