import { Effect } from "effect"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import { type AgentEntry, AgentWorkspaces } from "../../../services/knowledge/agents/AgentWorkspaces.ts"
import { WorkspaceTexts } from "../../../services/knowledge/texts/WorkspaceTexts.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const AgentsHandlers = routeHandlers(
  "agents",
  Effect.fn(function* (handlers) {
    const { list } = yield* AgentWorkspaces
    const { agentsOf } = yield* WorkspaceTexts
    /** The gateway alone knows about the folders of its agents. */
    const there = (gateway: string) =>
      Effect.map(agentsOf(gateway), (agents) =>
        agents.map(({ id, isDefault, name }): AgentEntry => ({ id, name, isDefault, workspace: "ready" }))
      )
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { gateway = PRIMARY } }) {
        return { ok: true as const, agents: gateway === PRIMARY ? yield* list : yield* there(gateway) }
      })
    })
  })
)
