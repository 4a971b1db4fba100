import { Context, Effect } from "effect"
import { OPERATOR } from "./tasks/taskRules.ts"

/** The name of the person whose console this is (`SVC_USER_NAME`), if it knows it. */
export const PersonName = Context.Reference<string | undefined>("agent-console/services/board/PersonName", {
  defaultValue: () => undefined
})

/** An agent that uses the board as a tool: what it does isn't the person's doing. */
const ActingAgent = Context.Reference<string | undefined>("agent-console/services/board/ActingAgent", {
  defaultValue: () => undefined
})

/** Carries out board calls in an agent's name, such as `agent:claude`. */
export const asAgent = (agent: string) => Effect.provideService(ActingAgent, agent)

/** Who says something, for a console whose person has this name: somebody is always named. */
export const authorFor = (person: string | undefined): Effect.Effect<string> =>
  Effect.map(ActingAgent, (agent) => agent ?? person ?? OPERATOR)

/** Who acts, for a console whose person has this name; nobody is named on one that doesn't know it. */
export const actorFor = (person: string | undefined): Effect.Effect<string | undefined> =>
  person === undefined ? Effect.undefined : Effect.map(ActingAgent, (agent) => agent ?? person)
