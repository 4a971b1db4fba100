import { Context, Effect } from "effect"
import { OPERATOR } from "./tasks/taskRules.ts"

/** The name of the console's user (`SVC_USER_NAME`), if it's set. */
export const PersonName = Context.Reference<string | undefined>("agent-console/services/board/PersonName", {
  defaultValue: () => undefined
})

/** The agent that uses the board as a tool; its changes aren't the user's. */
const ActingAgent = Context.Reference<string | undefined>("agent-console/services/board/ActingAgent", {
  defaultValue: () => undefined
})

/** Carries out board calls in an agent's name, such as `agent:claude`. */
export const asAgent = (agent: string) => Effect.provideService(ActingAgent, agent)

/** The author of a comment on a console whose user has this name; never empty. */
export const authorFor = (person: string | undefined): Effect.Effect<string> =>
  Effect.map(ActingAgent, (agent) => agent ?? person ?? OPERATOR)

/** The actor of a change on a console whose user has this name; `undefined` if it has none. */
export const actorFor = (person: string | undefined): Effect.Effect<string | undefined> =>
  person === undefined ? Effect.undefined : Effect.map(ActingAgent, (agent) => agent ?? person)
