import { Effect, Layer, Stream } from "effect"
import { AgentWorkspaces } from "../../src/services/knowledge/agents/AgentWorkspaces.ts"
import { AgentUnknown, defaultWorkspace, workspaceAt } from "../../src/services/knowledge/agents/Workspace.ts"
import { Settings } from "../../src/services/platform/settings/Settings.ts"

/** The workspaces of a gateway with a default agent and `helper`, without events. */
export const quietAgents = Layer.effect(
  AgentWorkspaces,
  Effect.map(Settings, (settings) => {
    const standard = defaultWorkspace(settings)
    const helper = workspaceAt("helper", `${settings.gatewayHome}/workspace-helper`, true)
    return AgentWorkspaces.of({
      list: Effect.succeed([]),
      of: (id) => {
        if (id === undefined) return Effect.succeed(standard)
        return id === "helper" ? Effect.succeed(helper) : Effect.fail(new AgentUnknown({ id }))
      },
      roots: Effect.succeed([]),
      others: Stream.never
    })
  })
)
