import type { Effect, Fiber } from "effect"
import type { AuthFailures } from "./access/AuthFailures.ts"
import type { DeviceTable } from "./access/DeviceTable.ts"
import type { ChatRuns } from "./chat/ChatRuns.ts"
import type { ExecApprovals } from "./chat/ExecApprovals.ts"
import type { CronJobs } from "./cron/CronJobs.ts"
import type { ConnectionHub } from "./server/ConnectionHub.ts"
import type { SessionEvents } from "./sessions/SessionEvents.ts"
import type { SessionStore } from "./sessions/SessionStore.ts"
import type { Generation } from "./wire/generations.ts"

/** Everything one embedded gateway consists of, for its methods and its server. */
export interface Gateway {
  readonly generation: Generation
  readonly token: string
  readonly startedAt: number
  readonly bootId: string
  readonly now: () => number
  readonly newId: () => string
  readonly newToken: () => string
  /** Starts a fiber that the gateway's scope owns. */
  readonly fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
  readonly hub: ConnectionHub
  readonly store: SessionStore
  /** Sessions that are gone; only their usage is still told. */
  readonly archive: SessionStore
  readonly sessions: SessionEvents
  readonly runs: ChatRuns
  readonly approvals: ExecApprovals
  readonly cron: CronJobs
  readonly devices: DeviceTable
  readonly failures: AuthFailures
  /** Tools of `POST /tools/invoke` beyond those that are always allowed. */
  readonly allowedTools: Set<string>
}
