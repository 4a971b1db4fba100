import { networkInterfaces } from "node:os"
import { Effect } from "effect"
import { USUAL_RIGHTS } from "../../../contract/agentRights.ts"
import type { GatewayAgentsState } from "../../../contract/schema/access.ts"
import {
  GATEWAY_AGENTS_PROBLEMS,
  GatewayAgents,
  GatewayTooOld,
  ServerNameTaken
} from "../../access/agents/GatewayAgents.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { addressForGateway, askUntil, parseGatewayUrl, Questions } from "./Questions.ts"
import { SetupRefused } from "./Setup.ts"

/** What a yes or a no changes, said before the question. */
const CONSEQUENCES: Readonly<Record<Exclude<GatewayAgentsState["state"], "older" | "taken">, string>> = {
  off: "The gateway's agents can use the board as tools: read cards, propose changes and ask you. A yes adds the server agent-console, with a token of its own, to the gateway's configuration.",
  on: "The gateway's agents use the board as tools. A no removes the server agent-console from the gateway's configuration and revokes its token.",
  revoked:
    "The gateway still has the server agent-console, but its token was revoked. A yes gives it a new one; a no removes it from the gateway's configuration."
}

const NOT_REACHABLE =
  "The gateway is on another machine and can't reach this console, which only answers on its own. Run setup again and allow other devices, then its agents can use the board."

const ADDRESS_HINT = "That isn't a valid address. Example: http://192.168.1.20:3080"

const refused = (message: string) => new SetupRefused({ message })

/**
 * Asks whether the gateway's agents may use the board, unless `wanted` says it, and makes it so. `wanted` that can't
 * be had is a failure; a question that can't be asked is only a sentence.
 */
export const letGatewayAgents = Effect.fn("letGatewayAgents")(
  function* (settings: SettingsShape, wanted: boolean | undefined) {
    const agents = yield* GatewayAgents
    const questions = yield* Questions
    const { state } = yield* agents.look
    if (state === "older" && wanted === false) return
    if (state === "older") return yield* new GatewayTooOld()
    if (state === "taken") return yield* new ServerNameTaken()
    const address = addressForGateway(
      settings,
      Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    )
    if (state === "off" && address === undefined && wanted !== false) return yield* refused(NOT_REACHABLE)
    if (wanted === undefined) yield* questions.say(CONSEQUENCES[state])
    const isWanted = wanted ?? (yield* questions.yesNo("Let the gateway's agents use the board", state === "on"))
    if (!isWanted) {
      if (state === "off") return
      yield* agents.remove
      return yield* questions.say("Removed from the gateway's configuration; the token is revoked.")
    }
    if (state === "on") return
    const reached =
      wanted === undefined
        ? yield* askUntil(questions)(
            "Address at which the gateway reaches this console",
            address ?? "",
            parseGatewayUrl,
            ADDRESS_HINT
          )
        : address
    if (reached === undefined) return yield* refused(NOT_REACHABLE)
    yield* agents.add({ address: reached, rights: USUAL_RIGHTS })
    yield* questions.say("Added to the gateway's configuration. Settings › Agents or the same question takes it back.")
  },
  Effect.catchTags({
    GatewayTooOld: () => refused(GATEWAY_AGENTS_PROBLEMS.GatewayTooOld.message),
    GatewayAgentsOn: () => refused(GATEWAY_AGENTS_PROBLEMS.GatewayAgentsOn.message),
    ServerNameTaken: () => refused(GATEWAY_AGENTS_PROBLEMS.ServerNameTaken.message),
    AgentNameTaken: () => refused(GATEWAY_AGENTS_PROBLEMS.AgentNameTaken.message),
    TooManyAgentTokens: () => refused(GATEWAY_AGENTS_PROBLEMS.TooManyAgentTokens.message),
    GatewayError: ({ message }) => refused(message),
    StoreError: ({ message }) => refused(message)
  }),
  (effect, _settings, wanted) =>
    wanted !== undefined
      ? effect
      : Effect.catchTag(effect, "SetupRefused", ({ message }) =>
          Effect.flatMap(Questions, ({ say }) =>
            say(`The gateway's agents can't use the board as tools yet. ${message}`)
          )
        )
)
