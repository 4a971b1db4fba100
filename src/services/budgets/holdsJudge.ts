import { Effect } from "effect"
import { canonicalKey } from "../gateway/sessions/sessionRules.ts"
import { BudgetPaused, EverythingStopped, type HoldsJudge } from "../holds/StartHolds.ts"
import { type BudgetBook, stopShown } from "./BudgetBook.ts"
import { coversStart } from "./workScope.ts"

/** Decides what may start by the budgets and the stop of everything. */
export const holdsJudge = (book: BudgetBook): HoldsJudge => ({
  ofMessage: ({ gatewayId, id, sessionKey }) => {
    const holder = book.holderOf(book.workOf(gatewayId, canonicalKey(sessionKey)), id)
    if (holder === undefined) return undefined
    return "stop" in holder ? { by: "stop" } : { by: "budget", id: holder.budget.id }
  },
  ofCard: (card) =>
    Effect.gen(function* () {
      const { budgets, stop } = book.pages()
      if (stop !== undefined) return new EverythingStopped({ stop: stopShown(stop) })
      const paused = [...budgets.values()].find(
        ({ pausedAt, period, scope }) =>
          // A card's budget for each run begins anew with the run.
          pausedAt !== undefined && period !== "run" && coversStart(scope, card)
      )
      return paused === undefined ? undefined : new BudgetPaused({ budget: yield* book.shown(paused) })
    }),
  isOnItsWay: (runId) =>
    [...book.pages().held.values()].some(({ hasBegun, messageId }) => messageId === runId && !hasBegun)
})
