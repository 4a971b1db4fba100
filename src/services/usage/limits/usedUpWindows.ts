import type { AgentALimits, AgentBLimits, LimitsUnavailable } from "../../../contract/schema/usage.ts"

/** A coding agent whose limits the console can know. */
export type CodingAgent = "a" | "b"

/** The providers of models that a coding agent's own subscription pays for. */
const PROVIDERS: Readonly<Record<string, CodingAgent>> = {
  codex: "a",
  "codex-cli": "a",
  "openai-codex": "a",
  "claude-cli": "b",
  "claude-code": "b"
}

/** The coding agent that a model belongs to; `undefined` for any other model. */
export const codingAgentOf = (model: string | undefined): CodingAgent | undefined => {
  const provider = model?.split("/", 1)[0] ?? ""
  return Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined
}

/** What is known of one window; `resetsAt` is in epoch milliseconds. */
interface UsageWindow {
  readonly usedPercent: number
  readonly resetsAt: number | null
}

const windowsOf = (limits: AgentALimits | AgentBLimits | LimitsUnavailable): ReadonlyArray<UsageWindow> => {
  if (!limits.available) return []
  if ("session_limit" in limits)
    return [limits.session_limit, limits.weekly_limit].flatMap((window) =>
      window === null ? [] : [{ usedPercent: window.used_percent, resetsAt: window.resets_at_epoch }]
    )
  // Credits pay for what is beyond the windows.
  const { balance, has_credits, unlimited } = limits.credits
  if (unlimited || (has_credits && balance > 0)) return []
  return [limits.five_hour_limit, limits.weekly_limit].flatMap((window) =>
    window === null
      ? []
      : [
          {
            usedPercent: window.used_percent,
            resetsAt: window.resets_at === null ? null : window.resets_at * 1000
          }
        ]
  )
}

/** The used up window of a coding agent, and when the last of several is over; `undefined` if it may go on. */
export const usedUpWindow = (
  limits: AgentALimits | AgentBLimits | LimitsUnavailable,
  now: number
): { readonly until?: number } | undefined => {
  const full = windowsOf(limits).filter(
    ({ resetsAt, usedPercent }) => usedPercent >= 100 && (resetsAt === null || resetsAt > now)
  )
  const times = full.flatMap(({ resetsAt }) => resetsAt ?? [])
  if (full.length === 0) return undefined
  return times.length === 0 ? {} : { until: Math.max(...times) }
}
