import type {
  AgentALimits,
  AgentAWindow,
  AgentBLimits,
  AgentBWindow,
  LimitsUnavailable
} from "../../../../src/contract/schema/usage.ts"
import { pageLocale, say } from "../language/say.ts"
import { failureText } from "../link/failureText.ts"

/** One limit of a coding agent. */
export interface LimitWindow {
  readonly name: string
  /** 0 to 100. */
  readonly used: number
  /** Epoch milliseconds; null if unknown. */
  readonly resetsAt: number | null
  /** The agent's own words if they name no exact time. */
  readonly resetsText: string | null
}

/** What is known about a coding agent's limits. */
export type AgentLimits =
  | { readonly available: false; readonly reason: string; readonly asking: boolean }
  | {
      readonly available: true
      readonly windows: ReadonlyArray<LimitWindow>
      readonly plan: string | null
      /** In a sentence; null if the agent has no credits. */
      readonly credits: string | null
      /** The numbers come from files of the last session instead of the agent's service. */
      readonly fromFiles: boolean
    }

const window = (name: string, limit: AgentAWindow | AgentBWindow | null): ReadonlyArray<LimitWindow> => {
  if (limit === null) return []
  const used = Math.min(100, Math.max(0, limit.used_percent))
  if ("resets_at_raw" in limit)
    return [{ name, used, resetsAt: limit.resets_at_epoch, resetsText: limit.resets_at_raw || null }]
  const resetsAt = limit.resets_at === null ? null : limit.resets_at * 1_000
  return [{ name, used, resetsAt, resetsText: limit.resets_at_formatted }]
}

const creditsOf = ({ balance, has_credits, unlimited }: AgentALimits["credits"]): string | null => {
  if (!has_credits) return null
  if (unlimited) return say("Unlimited credits")
  return say("Credits left: {balance}", { balance: new Intl.NumberFormat(pageLocale).format(balance) })
}

/** Reads the limits of either agent; shortest window first. */
export const readLimits = (limits: AgentALimits | AgentBLimits | LimitsUnavailable): AgentLimits => {
  if (!limits.available) {
    const { error, pending = false, why } = limits
    return { available: false, reason: failureText(error, why), asking: pending }
  }
  if ("session_limit" in limits) {
    const windows = [
      ...window(say("This session"), limits.session_limit),
      ...window(say("This week"), limits.weekly_limit)
    ]
    return { available: true, windows, plan: null, credits: null, fromFiles: false }
  }
  return {
    available: true,
    windows: [...window(say("5 hours"), limits.five_hour_limit), ...window(say("This week"), limits.weekly_limit)],
    plan: limits.plan_type || null,
    credits: creditsOf(limits.credits),
    fromFiles: limits.source === "local"
  }
}
