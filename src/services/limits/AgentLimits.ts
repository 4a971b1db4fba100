import { Clock, Context, Effect, type FileSystem, Layer, Option, type Path } from "effect"
import type { HttpClient } from "effect/http"
import type { ChildProcessSpawner } from "effect/process"
import { makeSharedFlight } from "../flight/makeSharedFlight.ts"
import { Settings } from "../settings/Settings.ts"
import { readAgentALimits } from "./agentALimits.ts"
import { readAgentBLimits } from "./agentBLimits.ts"
import { type AgentALimits, type AgentBLimits, type Unavailable, unavailable } from "./limitReport.ts"

export interface AgentLimitsShape {
  /** Limits of agent A; answers within a second, from memory where asking takes longer. */
  readonly agentA: Effect.Effect<AgentALimits | Unavailable>
  /** Limits of agent B; the same. */
  readonly agentB: Effect.Effect<AgentBLimits | Unavailable>
}

/** How long an answer is good. */
const FRESH_FOR_MS = 60_000
/** How long a request waits for a new one (D63: under a second). */
const PATIENCE = "800 millis"

const ASKING: Unavailable = {
  ...unavailable("the limits are being asked for: try again in a few seconds"),
  pending: true
}

/** Answers from memory and asks again in the background, one question at a time, until the scope closes. */
const remembered = <A>(ask: Effect.Effect<A>) => {
  let latest: { readonly value: A; readonly at: number } | undefined
  const refresh = Effect.gen(function* () {
    const value = yield* ask
    latest = { value, at: yield* Clock.currentTimeMillis }
    return value
  })
  return Effect.map(makeSharedFlight(refresh), (asking) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (latest !== undefined && now - latest.at < FRESH_FOR_MS) return latest.value
      const found = yield* Effect.timeoutOption(asking, PATIENCE)
      return Option.getOrElse(found, () => latest?.value ?? ASKING)
    })
  )
}

/** Rate limits of two coding agents that are used on this machine (SPEC "Coding-agent limits"). */
export class AgentLimits extends Context.Service<AgentLimits, AgentLimitsShape>()(
  "agent-console/services/limits/AgentLimits"
) {
  static readonly layer = Layer.effect(
    AgentLimits,
    Effect.gen(function* () {
      const settings = yield* Settings
      const platform = yield* Effect.context<
        FileSystem.FileSystem | Path.Path | HttpClient.HttpClient | ChildProcessSpawner.ChildProcessSpawner
      >()
      return AgentLimits.of({
        agentA: yield* remembered(readAgentALimits(settings).pipe(Effect.provideContext(platform))),
        agentB: yield* remembered(readAgentBLimits(settings).pipe(Effect.provideContext(platform)))
      })
    })
  )
}
