import type { Client } from "../client/Client.ts"
import { createLiveQuery, type LiveQuery } from "./LiveQuery.ts"
import { readSkills, type SkillView } from "./skills.ts"
import { gatewayBack, streamBack } from "./sources.ts"

const stores = new WeakMap<Client, LiveQuery<ReadonlyArray<SkillView>>>()

/**
 * The agent's skills; created on first use. The gateway doesn't announce changes, so they are requested again when it
 * is back.
 */
export const skillsStore = (client: Client): LiveQuery<ReadonlyArray<SkillView>> => {
  const store =
    stores.get(client) ??
    createLiveQuery({
      now: Date.now,
      load: () => client.api.request("GET", "/api/skills", readSkills),
      sources: [gatewayBack(client), streamBack(client.events)]
    })
  stores.set(client, store)
  return store
}
