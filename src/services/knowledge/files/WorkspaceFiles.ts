import { Context, Effect, Layer } from "effect"
import { AgentWorkspaces, type WorkspaceError } from "../agents/AgentWorkspaces.ts"
import { defaultWorkspace } from "../agents/Workspace.ts"
import { type AgentFiles, fileTools, makeAgentFiles } from "./makeAgentFiles.ts"

/** Default and maximum `depth` of the tree. */
export const MAX_TREE_DEPTH = 64

/** The default agent's files, and access to other agents'. */
export interface WorkspaceFilesShape extends AgentFiles {
  readonly of: (agent: string | undefined) => Effect.Effect<AgentFiles, WorkspaceError>
}

/**
 * The files in agents' workspaces, for browsing and editing. FILE_BROWSER_ROOT replaces the default agent's workspace.
 */
export class WorkspaceFiles extends Context.Service<WorkspaceFiles, WorkspaceFilesShape>()(
  "agent-console/services/knowledge/files/WorkspaceFiles"
) {
  static readonly layer = Layer.effect(
    WorkspaceFiles,
    Effect.gen(function* () {
      const tools = yield* fileTools
      const workspaces = yield* AgentWorkspaces
      const { settings } = tools
      const standard = makeAgentFiles(tools, defaultWorkspace(settings), settings.fileBrowserRoot)
      return WorkspaceFiles.of({
        ...standard,
        of: (agent) =>
          Effect.map(workspaces.of(agent), (workspace) =>
            workspace.agent === undefined ? standard : makeAgentFiles(tools, workspace, undefined)
          )
      })
    })
  )
}
