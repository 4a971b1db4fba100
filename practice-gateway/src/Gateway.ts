import type { Effect, Fiber } from "effect"
import type { AuthFailures } from "./access/AuthFailures.ts"
import type { DeviceTable } from "./access/DeviceTable.ts"
import type { AgentQuestions } from "./chat/AgentQuestions.ts"
import type { ChatRuns } from "./chat/ChatRuns.ts"
import type { ExecApprovals } from "./chat/ExecApprovals.ts"
import type { CronJobs } from "./cron/CronJobs.ts"
import type { Generation } from "./Generation.ts"
import type { ConnectionHub } from "./server/ConnectionHub.ts"
import type { WriteBudget } from "./server/WriteBudget.ts"
import type { SessionEvents } from "./sessions/SessionEvents.ts"
import type { SessionStore } from "./sessions/SessionStore.ts"
import type { JsonObject } from "./wire/frames.ts"

/** An agent of the gateway. */
export interface PracticeAgent {
  readonly id: string
  readonly name: string | undefined
  /** Absolute path of the folder it reports for its files. */
  readonly workspace: string
  /** What's in it, by path, with the time of its last change in epoch milliseconds. */
  readonly texts: Map<string, { readonly content: string; readonly at: number }>
}

/** All parts of one embedded gateway, for its methods and its server. */
export interface Gateway {
  readonly generation: Generation
  /** The folder it reports as its own. */
  readonly home: string
  /** The default agent first. */
  readonly agents: Array<PracticeAgent>
  readonly token: string
  /** When it last started, as a separate process would have. */
  startedAt: number
  readonly bootId: string
  readonly now: () => number
  readonly newId: () => string
  readonly newToken: () => string
  /** Starts a fiber owned by the gateway's scope. */
  readonly fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
  readonly hub: ConnectionHub
  readonly store: SessionStore
  /** Deleted sessions; only their usage is still reported. */
  readonly archive: SessionStore
  readonly sessions: SessionEvents
  readonly runs: ChatRuns
  readonly approvals: ExecApprovals
  readonly questions: AgentQuestions
  readonly cron: CronJobs
  /** What its configuration file would say, and how often that was changed. */
  readonly config: { value: JsonObject; revision: number }
  readonly devices: DeviceTable
  readonly failures: AuthFailures
  readonly writes: WriteBudget
  /** Tools of `POST /tools/invoke` besides those always allowed. */
  readonly allowedTools: Set<string>
}
