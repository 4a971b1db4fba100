import type { Why } from "../failure.ts"
/** Usage of one provider in the transcripts of now. */
export interface UsageEntry {
  readonly source: string
  readonly cost: number
  readonly messageCount: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly errorCount: number
  /** `false` if some of it has no price, so that it cost more than `cost`; absent otherwise. */
  readonly priced?: boolean
  /** With more than one gateway: whose it is. */
  readonly gatewayId?: string
}

/** Costs in US dollars, `updatedAt` in epoch milliseconds. */
export interface UsageSummary {
  readonly totalCost: number
  readonly totalInput: number
  readonly totalOutput: number
  readonly totalMessages: number
  readonly entries: ReadonlyArray<UsageEntry>
  /** Everything ever counted, deleted transcripts included; never goes down. */
  readonly persistent: {
    readonly totalInput: number
    readonly totalOutput: number
    readonly totalCost: number
    /** ISO 8601. */
    readonly lastUpdated: string
  }
  readonly updatedAt: number
}

/** What a series can be told apart by. */
export const USAGE_GROUPS = ["day", "model", "agent", "session", "work"] as const

/** The sums of one group; it has the fields that it was grouped by. */
export interface UsageHistoryRow {
  /** UTC `YYYY-MM-DD`. */
  readonly day?: string
  readonly provider?: string
  readonly model?: string
  readonly agent?: string
  readonly session?: string
  /** `task:<id>` of a card, `cron:<id>` of a job, or empty for conversations and everything else. */
  readonly work?: string
  /** US dollars. */
  readonly cost: number
  readonly messageCount: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly errorCount: number
  /** `false` if some of it has no price, so that it cost more than `cost`; absent otherwise. */
  readonly priced?: boolean
  /** With more than one gateway: whose it is. */
  readonly gatewayId?: string
}

/** The series between two UTC days, both included. */
export interface UsageHistory {
  readonly from: string
  readonly to: string
  readonly group: ReadonlyArray<(typeof USAGE_GROUPS)[number]>
  readonly rows: ReadonlyArray<UsageHistoryRow>
}

/** Nothing is known of an agent's limits, and why. */
export interface LimitsUnavailable {
  readonly available: false
  readonly error: string
  readonly why?: Why
  /** The agent is being asked: a later answer will tell more. */
  readonly pending?: true
}

/** A limit of agent A; times in epoch seconds, `null` where nobody tells. */
export interface AgentAWindow {
  readonly used_percent: number
  readonly left_percent: number
  readonly resets_at: number | null
  readonly resets_at_formatted: string | null
}

export interface AgentALimits {
  readonly available: true
  readonly source: "api" | "local"
  readonly five_hour_limit: AgentAWindow | null
  readonly weekly_limit: AgentAWindow | null
  readonly credits: { readonly has_credits: boolean; readonly unlimited: boolean; readonly balance: number }
  readonly plan_type: string
}

/** A limit of agent B; the time in epoch milliseconds, `null` where the tool's text cannot be read. */
export interface AgentBWindow {
  readonly used_percent: number
  readonly left_percent: number
  readonly resets_at_epoch: number | null
  readonly resets_at_raw: string
}

export interface AgentBLimits {
  readonly available: true
  readonly session_limit: AgentBWindow | null
  readonly weekly_limit: AgentBWindow | null
}

/** Tokens, costs, and what the coding agents have left. */
export interface UsageAnswers {
  readonly "GET /api/tokens": UsageSummary
  readonly "GET /api/tokens/history": UsageHistory
  readonly "GET /api/agent-a-limits": AgentALimits | LimitsUnavailable
  readonly "GET /api/agent-b-limits": AgentBLimits | LimitsUnavailable
}
