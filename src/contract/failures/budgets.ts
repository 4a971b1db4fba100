/** Why something about budgets or the stop of everything was refused, and what the inbox says about them. */
export const BUDGET_FAILURES = {
  MUST_BE_A_BUDGET_SCOPE: "must name what the budget is for: all, a gateway, an agent, a task, a job or a session",
  MUST_HAVE_A_LIMIT: "needs at least one of usd, minutes and turns",
  MUST_BE_MORE_THAN_ZERO: "must be more than 0 and at most {max}",
  RUN_NEEDS_WORK: "run is for the budget of a task, a job or a session",
  BUDGET_NOT_FOUND: "there's no such budget: it was removed",
  TOO_MANY_BUDGETS: "there are {max} budgets already: remove one first",
  BUDGET_NOT_PAUSED: "this budget isn't paused, so there's nothing to decide",
  RAISE_IS_TOO_LOW: "must be a number above what was spent already",
  HELD_BY_BUDGET: "a budget is used up: decide in the inbox how it goes on",
  HELD_BY_STOP: "everything is stopped: let work go on first",
  BUDGET_HOLDS: "Nothing starts that counts for {scope} until you decide.",
  BUDGET_HOLDS_PERIOD: "Nothing starts that counts for {scope} until you decide, or the period ends.",
  BUDGET_NEARLY_USED_UP: "At the limit, work that counts for {scope} pauses.",
  BUDGET_UNPRICED:
    "This budget limits dollars alone, and the gateway doesn't say what a response cost. Give the model a price on the gateway, or limit minutes or turns too.",
  SESSION_NOT_STOPPED: "A session couldn't be stopped",
  STOP_WITHOUT_EFFECT: "The gateway says that nothing runs in this session, and lists it as running.",
  STOP_UNANSWERED: "The gateway didn't answer when it was asked to stop this session."
} as const
