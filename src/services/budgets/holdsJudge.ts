import { Clock, Effect } from "effect"
import { canonicalKey } from "../gateway/sessions/sessionRules.ts"
import {
  BudgetPaused,
  type CardStart,
  EverythingStopped,
  type HoldsJudge,
  type StartConditions
} from "../holds/StartHolds.ts"
import { type BudgetBook, stopShown } from "./BudgetBook.ts"
import { currentPeriod } from "./StoredBudget.ts"
import { coversStart } from "./workScope.ts"

/** The used up budget that keeps a card from starting. */
const holderOf = (book: BudgetBook, card: CardStart) =>
  [...book.pages().budgets.values()].find(
    ({ pausedAt, period, scope }) =>
      // A card's budget for each run begins anew with the run.
      pausedAt !== undefined && period !== "run" && coversStart(scope, card)
  )

/** The same where nothing can wait. */
export const holdsConditions = (book: BudgetBook): Effect.Effect<Pick<StartConditions, "isStopped" | "budgetOf">> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    isStopped: book.pages().stop !== undefined,
    budgetOf: (card) => {
      const budget = holderOf(book, card)
      return budget && { id: budget.id, until: currentPeriod(budget, now).end }
    }
  }))

/** Decides what may start by the budgets and the stop of everything. */
export const holdsJudge = (book: BudgetBook): HoldsJudge => ({
  ofMessage: ({ gatewayId, id, sessionKey }) => {
    const holder = book.holderOf(book.workOf(gatewayId, canonicalKey(sessionKey)), id)
    if (holder === undefined) return undefined
    return "stop" in holder ? { by: "stop" } : { by: "budget", id: holder.budget.id }
  },
  ofCard: (card) =>
    Effect.gen(function* () {
      const { stop } = book.pages()
      if (stop !== undefined) return new EverythingStopped({ stop: stopShown(stop) })
      const paused = holderOf(book, card)
      return paused === undefined ? undefined : new BudgetPaused({ budget: yield* book.shown(paused) })
    }),
  isOnItsWay: (runId) =>
    [...book.pages().held.values()].some(({ hasBegun, messageId }) => messageId === runId && !hasBegun)
})
