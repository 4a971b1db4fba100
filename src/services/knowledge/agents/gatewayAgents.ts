import { Schema } from "effect"
import { AgentId } from "../../../contract/schema/knowledge.ts"

const isAgentId = Schema.is(AgentId)
const isFilled = Schema.is(Schema.String.check(Schema.isPattern(/\S/)))

/** The response of `agents.list`; the older generation omits the workspace. */
export const AgentsAnswer = Schema.Struct({
  defaultId: Schema.String,
  agents: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: Schema.optionalKey(Schema.Unknown),
      identity: Schema.optionalKey(Schema.Unknown),
      workspace: Schema.optionalKey(Schema.Unknown)
    })
  )
})

const Identity = Schema.Struct({ name: Schema.String })
const isNamed = Schema.is(Identity)

/** The part of `agents.files.list` with an agent's workspace. */
export const AgentFilesAnswer = Schema.Struct({ workspace: Schema.String })

/** An agent as described by the gateway. */
export interface GatewayAgent {
  readonly id: string
  /** Display name; the id if it has none. */
  readonly name: string
  /** Whether it's the default agent. */
  readonly isDefault: boolean
  /** The folder of its files; `undefined` if the gateway omits it. */
  readonly workspace: string | undefined
}

/** The agents in a response, without those that have an invalid id. */
export const agentsOf = ({ defaultId, agents }: typeof AgentsAnswer.Type): ReadonlyArray<GatewayAgent> => {
  return agents.flatMap(({ id, name, identity, workspace }): ReadonlyArray<GatewayAgent> => {
    if (!isAgentId(id)) return []
    const names = [name, isNamed(identity) ? identity.name : undefined, id]
    return [
      {
        id,
        name: names.find(isFilled) ?? id,
        isDefault: id === defaultId,
        workspace: isFilled(workspace) ? workspace : undefined
      }
    ]
  })
}

/** The agents with a different default agent, which comes first. */
export const withDefault = (agents: ReadonlyArray<GatewayAgent>, id: string): ReadonlyArray<GatewayAgent> =>
  agents
    .map((agent) => ({ ...agent, isDefault: agent.id === id }))
    .toSorted((left, right) => Number(right.isDefault) - Number(left.isDefault))
