/** Why something about budgets or the stop of everything was refused. */
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
  HELD_BY_STOP: "everything is stopped: let work go on first"
} as const
