import { Schema } from "effect"
import { Budget } from "../../contract/schema/budget.ts"
import { failureFields } from "../../contract/schema/failure.ts"

/** No budget has this id. */
export class BudgetNotFound extends Schema.TaggedError<BudgetNotFound>()("BudgetNotFound", { id: Schema.String }) {}

/** Another budget has this scope and period. */
export class BudgetExists extends Schema.TaggedError<BudgetExists>()("BudgetExists", { budget: Budget }) {}

/** The change was based on another version. */
export class BudgetConflict extends Schema.TaggedError<BudgetConflict>()("BudgetConflict", { latest: Budget }) {}

/** The console keeps no more budgets than this. */
export class TooManyBudgets extends Schema.TaggedError<TooManyBudgets>()("TooManyBudgets", { max: Schema.Int }) {}

/** There's nothing to decide. */
export class BudgetNotPaused extends Schema.TaggedError<BudgetNotPaused>()("BudgetNotPaused", {}) {}

/** A period, limit or decision that doesn't fit the budget; `message` is `<field>: <message>`. */
export class InvalidBudget extends Schema.TaggedError<InvalidBudget>()("InvalidBudget", failureFields) {}
