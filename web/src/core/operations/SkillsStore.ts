import type { Console } from "../types.ts"
import { LiveQuery } from "./LiveQuery.ts"
import { readSkills, type SkillView } from "./skills.ts"
import { gatewayBack, streamBack } from "./sources.ts"

const stores = new WeakMap<Console, LiveQuery<ReadonlyArray<SkillView>>>()

/** The agent's skills; made on first use. The gateway tells nothing of changes, so they are asked for when it is back. */
export const skillsStore = (console: Console): LiveQuery<ReadonlyArray<SkillView>> => {
  const store =
    stores.get(console) ??
    new LiveQuery({
      now: Date.now,
      load: () => console.api.request("GET", "/api/skills", readSkills),
      sources: [gatewayBack(console), streamBack(console.events)]
    })
  stores.set(console, store)
  return store
}
