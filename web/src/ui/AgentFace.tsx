import { type Agent, colourOf } from "../core/agents/agentList.ts"

/** The face of an agent in its colour; its name stands beside it. */
export const AgentFace = (props: { readonly agent: Agent }) => {
  const { agent } = props
  const letter = [...agent.name][0]?.toUpperCase() ?? ""
  return (
    <span class={["agent-face", `is-${colourOf(agent.id)}`]} aria-hidden="true">
      {agent.emoji ?? letter}
    </span>
  )
}
