import { Schema } from "effect"
import { failureFields } from "../../../contract/schema/failure.ts"

/** The gateway has no agent with that id. */
export class AgentUnknown extends Schema.TaggedError<AgentUnknown>()("AgentUnknown", { id: Schema.String }) {}

/** An agent's workspace is in a location that the console doesn't open; `message` gives the reason and the remedy. */
export class WorkspaceForbidden extends Schema.TaggedError<WorkspaceForbidden>()("WorkspaceForbidden", failureFields) {}

/** An agent's workspace doesn't exist; `message` says what to do. */
export class WorkspaceMissing extends Schema.TaggedError<WorkspaceMissing>()("WorkspaceMissing", failureFields) {}
