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
  readonly ofMessage: (message: {
    readonly gatewayId: string
    readonly sessionKey: string
    readonly id: string
  }) => HeldBy | undefined
  readonly ofCard: (card: CardStart) => EverythingStopped | BudgetPaused | undefined
  readonly isOnItsWay: (runId: string) => boolean
}

export interface StartHoldsShape extends HoldsJudge {
  /** Lets one judge decide until the scope closes; without one, nothing is held. */
  readonly judgedBy: (judge: HoldsJudge) => Effect.Effect<void, never, Scope.Scope>
}

const NOTHING_HELD: HoldsJudge = {
  ofMessage: () => undefined,
  ofCard: () => undefined,
  isOnItsWay: () => false
}

const make = (): StartHoldsShape => {
  let judge = NOTHING_HELD
  return {
    ofMessage: (message) => judge.ofMessage(message),
    ofCard: (card) => judge.ofCard(card),
    isOnItsWay: (runId) => judge.isOnItsWay(runId),
    judgedBy: (next) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => {
            judge = next
          }),
          () =>
            Effect.sync(() => {
              judge = NOTHING_HELD
            })
        )
      )
  }
}

/**
 * Whether messages may be sent and cards may start. What sends and starts asks it, and the budgets, which need both of
 * them, decide.
 */
export class StartHolds extends Context.Service<StartHolds, StartHoldsShape>()(
  "agent-console/services/holds/StartHolds"
) {
  static readonly layer = Layer.sync(StartHolds, () => StartHolds.of(make()))
}
