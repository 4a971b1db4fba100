import type { Deferred, Effect, Fiber } from "effect"
import type { DemoAgent } from "../demo/steps.ts"
import type { Generation } from "../Generation.ts"
import type { Connection } from "../server/Connection.ts"
import type { StoredImage } from "../sessions/messages.ts"
import type { SessionEvents } from "../sessions/SessionEvents.ts"
import type { Session, SessionStore } from "../sessions/SessionStore.ts"
import type { AgentQuestions } from "./AgentQuestions.ts"
import type { ExecApprovals } from "./ExecApprovals.ts"
import type { Turn, TurnEvents, TurnOutcome } from "./TurnEvents.ts"

/** A message on its way to a session's agent. */
export interface TurnRequest {
  readonly runId: string
  readonly session: Session
  readonly kind: Turn["kind"]
  readonly text: string
  readonly images?: ReadonlyArray<StoredImage>
  readonly sender?: Connection | undefined
  /** Whether it's for the running turn, which reads it before ending, rather than a new turn. */
  readonly steers?: boolean
}

/** A run and its end. */
export interface Run {
  readonly runId: string
  readonly sessionKey: string
  readonly kind: Turn["kind"]
  readonly requestedAt: number
  readonly done: Deferred.Deferred<TurnOutcome>
  turn: Turn | undefined
  outcome: TurnOutcome | undefined
}

/** What the runs stand on; `fork` starts fibers that the gateway's scope owns. */
export interface ChatRunsOptions {
  readonly generation: Generation
  readonly store: SessionStore
  readonly sessions: SessionEvents
  readonly events: TurnEvents
  readonly now: () => number
  readonly newId: () => string
  readonly tokenMs: number
  readonly agent: DemoAgent
  readonly approvals: ExecApprovals
  readonly questions: AgentQuestions
  readonly fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
}
