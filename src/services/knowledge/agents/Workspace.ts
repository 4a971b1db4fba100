import { posix } from "node:path"
import { Schema } from "effect"
import { failureFields } from "../../../contract/schema/failure.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"

/** The absolute paths of an agent's documents, files and memory. */
export interface Workspace {
  /** The agent's name in events; the default agent has none, for compatibility with clients of a single agent. */
  readonly agent: string | undefined
  readonly root: string
  readonly memoryPath: string
  readonly memoryDir: string
  /** Whether the system notifies the console when a file in it changes. */
  readonly isWatched: boolean
}

/** The default agent's, from the settings. */
export const defaultWorkspace = ({ gatewayHome, memoryPath, memoryDir }: SettingsShape): Workspace => ({
  agent: undefined,
  root: posix.join(gatewayHome, "workspace"),
  memoryPath,
  memoryDir,
  isWatched: true
})

/** Another agent's, from the folder the gateway gave it. */
export const workspaceAt = (agent: string, root: string, isWatched: boolean): Workspace => ({
  agent,
  root,
  memoryPath: posix.join(root, "MEMORY.md"),
  memoryDir: posix.join(root, "memory"),
  isWatched
})

/** The event field with the owner of the files; none for the default agent. */
export const agentField = ({ agent }: Workspace): { readonly agent?: string } => (agent === undefined ? {} : { agent })

/** The gateway has no agent with that id. */
export class AgentUnknown extends Schema.TaggedError<AgentUnknown>()("AgentUnknown", { id: Schema.String }) {}

/** An agent's workspace is in a location that the console doesn't open; `message` gives the reason and the remedy. */
export class WorkspaceForbidden extends Schema.TaggedError<WorkspaceForbidden>()("WorkspaceForbidden", failureFields) {}

/** An agent's workspace doesn't exist; `message` says what to do. */
export class WorkspaceMissing extends Schema.TaggedError<WorkspaceMissing>()("WorkspaceMissing", failureFields) {}
