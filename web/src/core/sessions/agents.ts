import { fieldsOf, filledText, recordsOf } from "../common/decode.ts"
import type { GatewayLink } from "../link/linkTypes.ts"

/** An agent of the gateway. */
export interface Agent {
  readonly id: string
  readonly name: string
}

/** The agents in an `agents.list` response, the default one first. */
export function decodeAgents(answer: unknown): ReadonlyArray<Agent> {
  const fields = fieldsOf(answer)
  const agents = recordsOf(fields.agents).flatMap((entry): ReadonlyArray<Agent> => {
    const id = filledText(entry.id)
    const name = filledText(entry.name) ?? filledText(fieldsOf(entry.identity).name)
    return id === null ? [] : [{ id, name: name ?? id }]
  })
  return agents.toSorted((a, b) => Number(b.id === fields.defaultId) - Number(a.id === fields.defaultId))
}

/** Asks the gateway for its agents; none if it doesn't say. */
export const readAgents = async (link: Pick<GatewayLink, "request">): Promise<ReadonlyArray<Agent>> =>
  decodeAgents(await link.request("agents.list", {}).catch(() => null))
