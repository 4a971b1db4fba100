import { type Signal, useConstant } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useSelected } from "../base/useSelected.ts"
import { type Agent, agentIn, agentsOf } from "../core/agents/agentList.ts"
import { gatewayOfKey } from "../core/gateways/gatewayMark.ts"
import { agentOfKey } from "../core/sessions/sessionRows.ts"

/** The agent that a session talks to; the session never changes during the component's life. */
export const useAgentOf = (sessionKey: string): Readonly<Signal<Agent>> => {
  const { client } = useServices()
  const agents = useConstant(() => agentsOf(client, gatewayOfKey(sessionKey)))
  return useSelected(agents, (all) => agentIn(all, agentOfKey(sessionKey)))
}
