import { Context, Effect, Layer, Schema, type Scope } from "effect"
import { Budget, type HeldBy, StopState } from "../../contract/schema/budget.ts"

/** The stop of everything holds what should start. */
export class EverythingStopped extends Schema.TaggedError<EverythingStopped>()("EverythingStopped", {
  stop: StopState
}) {}

/** A used up budget holds what should start. */
export class BudgetPaused extends Schema.TaggedError<BudgetPaused>()("BudgetPaused", { budget: Budget }) {}

/** A card that could start, with the agent that would work on it. */
export interface CardStart {
  readonly taskId: string
  readonly gatewayId: string
  readonly agentId: string
}

/** Decides what may start. */
export interface HoldsJudge {
  /** What keeps a message from being sent. */
  readonly ofMessage: (message: {
    readonly gatewayId: string
    readonly sessionKey: string
    readonly id: string
  }) => HeldBy | undefined
  /** What keeps a card from starting. */
  readonly ofCard: (card: CardStart) => Effect.Effect<EverythingStopped | BudgetPaused | undefined>
  /** Whether the message that a paused run goes on with hasn't begun its turn. */
  readonly isOnItsWay: (runId: string) => boolean
}

interface StartHoldsShape extends HoldsJudge {
  /** Lets a judge decide until the scope closes; without one, nothing is held. */
  readonly judgedBy: (judge: HoldsJudge) => Effect.Effect<void, never, Scope.Scope>
}

const NOTHING_HELD: HoldsJudge = {
  ofMessage: () => undefined,
  ofCard: () => Effect.undefined,
  isOnItsWay: () => false
}

const make = Effect.sync((): StartHoldsShape => {
  let judge = NOTHING_HELD
  const decideBy = (next: HoldsJudge) =>
    Effect.sync(() => {
      judge = next
    })
  return {
    ofMessage: (message) => judge.ofMessage(message),
    ofCard: (card) => judge.ofCard(card),
    isOnItsWay: (runId) => judge.isOnItsWay(runId),
    judgedBy: (next) => Effect.acquireRelease(decideBy(next), () => decideBy(NOTHING_HELD))
  }
})

/**
 * Whether messages may be sent and cards may start. What sends and starts asks it, and the budgets, which need both of
 * them, decide.
 */
export const StartHolds = Context.Reference<StartHoldsShape>("agent-console/services/holds/StartHolds", {
  defaultValue: () => ({ ...NOTHING_HELD, judgedBy: () => Effect.void })
})

export const StartHoldsLive = Layer.effect(StartHolds, make)
