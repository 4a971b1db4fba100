import { Clock, Effect, Layer, Queue } from "effect"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import type { AgentALimits, AgentBLimits, LimitsUnavailable } from "../../../contract/schema/usage.ts"
import { isLocal } from "../../gateway/registry/gatewayEntry.ts"
import { StartHolds } from "../../holds/StartHolds.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { AgentLimits } from "./AgentLimits.ts"
import { type CodingAgent, codingAgentOf, usedUpWindow } from "./usedUpWindows.ts"

/** Limits that are older are asked for again while a card waits that they may hold. */
const FRESH_FOR_MS = 60_000

/**
 * Holds automatic starts while the limit of their coding agent is used up. The limits are those of this machine's sign-in,
 * so they say something only about a gateway that is here too. Asking takes time, so a start sees what was known last.
 */
export const UsageWindows = Layer.effectDiscard(
  Effect.gen(function* () {
    const holds = yield* StartHolds
    const limits = yield* AgentLimits
    const { gatewayUrl } = yield* Settings
    if (!isLocal(gatewayUrl)) return
    const known = new Map<CodingAgent, AgentALimits | AgentBLimits | LimitsUnavailable>()
    const askedAt = new Map<CodingAgent, number>()
    const wanted = yield* Queue.unbounded<CodingAgent>()

    const ask = Effect.fnUntraced(function* (agent: CodingAgent) {
      const found = yield* agent === "a" ? limits.agentA : limits.agentB
      if (!("pending" in found)) known.set(agent, found)
    })
    yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(wanted), ask)))

    yield* holds.conditionsFrom(
      Effect.map(Clock.currentTimeMillis, (now) => ({
        usageOf: ({ gatewayId, model }) => {
          const agent = gatewayId === PRIMARY ? codingAgentOf(model) : undefined
          if (agent === undefined) return undefined
          if (now - (askedAt.get(agent) ?? Number.NEGATIVE_INFINITY) >= FRESH_FOR_MS) {
            askedAt.set(agent, now)
            Queue.offerUnsafe(wanted, agent)
          }
          const found = known.get(agent)
          return found && usedUpWindow(found, now)
        }
      }))
    )
  })
)
