import type {
  AgentALimits,
  AgentAWindow,
  AgentBLimits,
  AgentBWindow,
  LimitsUnavailable
} from "../../../../src/contract/answers/UsageAnswers.ts"
import { type Fields, filledText, numberOf, recordOf } from "../common/decode.ts"
import { say } from "../language/say.ts"
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

const percent = (value: unknown): number | null => {
  const number = numberOf(value)
  return number === null ? null : Math.min(100, Math.max(0, number))
}

const window = (name: string, value: unknown): ReadonlyArray<LimitWindow> => {
  const fields = recordOf<AgentAWindow | AgentBWindow>(value)
  const used = percent(fields?.used_percent)
  if (fields === null || used === null) return []
  const seconds = numberOf(fields.resets_at)
  const resetsAt = numberOf(fields.resets_at_epoch) ?? (seconds === null ? null : seconds * 1_000)
  const resetsText = filledText(fields.resets_at_raw) ?? filledText(fields.resets_at_formatted)
  return [{ name, used, resetsAt, resetsText }]
}

const creditsOf = (value: unknown): string | null => {
  const credits = recordOf<AgentALimits["credits"]>(value)
  if (credits === null || credits.has_credits !== true) return null
  if (credits.unlimited === true) return say("Unlimited credits")
  const balance = numberOf(credits.balance)
  return balance === null ? null : say("Credits left: {balance}", { balance: new Intl.NumberFormat().format(balance) })
}

const unavailable = (fields: Fields<LimitsUnavailable>): AgentLimits => ({
  available: false,
  reason: failureText(filledText(fields.error), fields.why) ?? say("The limits aren't known."),
  asking: fields.pending === true
})

/** Reads the limits of either agent; shortest window first. */
export const readLimits = (body: unknown): AgentLimits | null => {
  const fields = recordOf<AgentALimits | AgentBLimits | LimitsUnavailable>(body)
  if (fields === null || typeof fields.available !== "boolean") return null
  if (!fields.available) return unavailable(fields)
  return {
    available: true,
    windows: [
      ...window(say("5 hours"), fields.five_hour_limit),
      ...window(say("This session"), fields.session_limit),
      ...window(say("This week"), fields.weekly_limit)
    ],
    plan: filledText(fields.plan_type),
    credits: creditsOf(fields.credits),
    fromFiles: fields.source === "local"
  }
}
