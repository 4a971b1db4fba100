import { Clock, Context, Effect, type FileSystem, Layer, Option, type Path } from "effect"
import type { HttpClient } from "effect/http"
import type { ChildProcessSpawner } from "effect/process"
import { failure } from "../../../contract/failures.ts"
import type { AgentALimits, AgentBLimits, LimitsUnavailable } from "../../../contract/schema/usage.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { makeSingleFlight } from "../../platform/singleFlight.ts"
import { readAgentALimits } from "./agentALimits.ts"
import { readAgentBLimits } from "./agentBLimits.ts"
import { unavailable } from "./limitReport.ts"

export interface AgentLimitsShape {
  /** Agent A's limits; returns within a second, from the cache if fetching takes longer. */
  readonly agentA: Effect.Effect<AgentALimits | LimitsUnavailable>
  /** Agent B's limits, likewise. */
  readonly agentB: Effect.Effect<AgentBLimits | LimitsUnavailable>
}

/** How long a result is valid. */
const FRESH_FOR_MS = 60_000
/** How long a request waits for a new result (the whole response takes less than a second). */
const PATIENCE = "800 millis"

const NOT_IN_DEMO = unavailable(failure("LIMITS_OFF_IN_DEMO"))
const PENDING: LimitsUnavailable = {
  ...unavailable(failure("LIMITS_PENDING")),
  pending: true
}

/** Returns cached results and refreshes them in the background, one request at a time, until the scope closes. */
const cached = <A>(ask: Effect.Effect<A>) => {
  let latest: { readonly value: A; readonly at: number } | undefined
  const refresh = Effect.gen(function* () {
    const value = yield* ask
    latest = { value, at: yield* Clock.currentTimeMillis }
    return value
  })
  return Effect.map(makeSingleFlight(refresh), (asking) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (latest !== undefined && now - latest.at < FRESH_FOR_MS) return latest.value
      const found = yield* Effect.timeoutOption(asking, PATIENCE)
      return Option.getOrElse(found, () => latest?.value ?? PENDING)
    })
  )
}

/** Rate limits of two coding agents on this machine. */
export class AgentLimits extends Context.Service<AgentLimits, AgentLimitsShape>()(
  "agent-console/services/usage/limits/AgentLimits"
) {
  static readonly layer = Layer.effect(
    AgentLimits,
    Effect.gen(function* () {
      const settings = yield* Settings
      const platform = yield* Effect.context<
        FileSystem.FileSystem | Path.Path | HttpClient.HttpClient | ChildProcessSpawner.ChildProcessSpawner
      >()
      // Asking takes a person's own sign-in to another machine.
      if (settings.isDemo)
        return AgentLimits.of({ agentA: Effect.succeed(NOT_IN_DEMO), agentB: Effect.succeed(NOT_IN_DEMO) })
      return AgentLimits.of({
        agentA: yield* cached(readAgentALimits(settings).pipe(Effect.provideContext(platform))),
        agentB: yield* cached(readAgentBLimits(settings).pipe(Effect.provideContext(platform)))
      })
    })
  )
}
