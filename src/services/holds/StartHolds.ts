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
  /** The model that its run asks for. */
  readonly model?: string | undefined
}

/** What decides about the start of a card besides the board, at one moment. */
export interface StartConditions {
  /** Whether everything is stopped. */
  readonly isStopped: boolean
  /** The used up budget that holds a card, and when its period ends. */
  readonly budgetOf: (card: CardStart) => { readonly id: string; readonly until?: number | undefined } | undefined
  /** Whether a gateway is connected, or the console doesn't have it. */
  readonly gatewayOf: (gatewayId: string) => "there" | "away" | "unknown"
  /** The used up usage window of a card's agent, and when it ends. */
  readonly usageOf: (card: CardStart) => { readonly until?: number | undefined } | undefined
}

/** Nothing outside the board decides. */
export const NO_CONDITIONS: StartConditions = {
  isStopped: false,
  budgetOf: () => undefined,
  gatewayOf: () => "there",
  usageOf: () => undefined
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
  /** What decides about the start of cards, as it is now. */
  readonly conditions: Effect.Effect<StartConditions>
  /** Lets these conditions decide until the scope closes. */
  readonly conditionsFrom: (part: Effect.Effect<Partial<StartConditions>>) => Effect.Effect<void, never, Scope.Scope>
}

const NOTHING_HELD: HoldsJudge = {
  ofMessage: () => undefined,
  ofCard: () => Effect.undefined,
  isOnItsWay: () => false
}

const make = Effect.sync((): StartHoldsShape => {
  let judge = NOTHING_HELD
  const parts = new Set<Effect.Effect<Partial<StartConditions>>>()
  const decideBy = (next: HoldsJudge) =>
    Effect.sync(() => {
      judge = next
    })
  return {
    ofMessage: (message) => judge.ofMessage(message),
    ofCard: (card) => judge.ofCard(card),
    isOnItsWay: (runId) => judge.isOnItsWay(runId),
    judgedBy: (next) => Effect.acquireRelease(decideBy(next), () => decideBy(NOTHING_HELD)),
    conditions: Effect.gen(function* () {
      const conditions = { ...NO_CONDITIONS }
      for (const part of parts) Object.assign(conditions, yield* part)
      return conditions
    }),
    conditionsFrom: (part) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => parts.add(part)),
          () => Effect.sync(() => parts.delete(part))
        )
      )
  }
})

/**
 * Whether messages may be sent and cards may start. What sends and starts asks it, and the budgets, which need both of
 * them, decide.
 */
export const StartHolds = Context.Reference<StartHoldsShape>("agent-console/services/holds/StartHolds", {
  defaultValue: () => ({
    ...NOTHING_HELD,
    judgedBy: () => Effect.void,
    conditions: Effect.succeed(NO_CONDITIONS),
    conditionsFrom: () => Effect.void
  })
})

export const StartHoldsLive = Layer.effect(StartHolds, make)
