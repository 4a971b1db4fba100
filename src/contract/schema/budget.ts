import { Schema } from "effect"
import { BUDGET_ACTIONS, BUDGET_PERIODS, BUDGET_STATES, MAX_MINUTES, MAX_TURNS, MAX_USD } from "../budget.ts"
import { failure } from "../failures.ts"
import {
  body,
  clearable,
  epochMillis,
  filledText,
  maybe,
  number,
  oneOf,
  required,
  text,
  wholeNumber
} from "./fields.ts"
import { Zone } from "./push.ts"

const Id = filledText(200)
const SessionKey = filledText(500)
const GatewayId = filledText(64)

/** Whose work a budget is for; without a gateway, it's the primary one's. */
export const BudgetScope = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("all") }),
  Schema.Struct({ kind: Schema.Literal("gateway"), gatewayId: GatewayId }),
  Schema.Struct({ kind: Schema.Literal("agent"), gatewayId: maybe(GatewayId), agentId: Id }),
  Schema.Struct({ kind: Schema.Literal("task"), taskId: Id }),
  Schema.Struct({ kind: Schema.Literal("job"), gatewayId: maybe(GatewayId), jobId: Id }),
  Schema.Struct({ kind: Schema.Literal("session"), gatewayId: maybe(GatewayId), sessionKey: SessionKey })
]).annotate(failure("MUST_BE_A_BUDGET_SCOPE"))
export type BudgetScope = typeof BudgetScope.Type

const positive = (max: number) =>
  Schema.Finite.annotate(failure("MUST_BE_A_NUMBER")).check(
    Schema.makeFilter((value: number) => value > 0 && value <= max, failure("MUST_BE_MORE_THAN_ZERO", { max }))
  )

const limitFields = {
  usd: maybe(positive(MAX_USD)),
  minutes: maybe(positive(MAX_MINUTES)),
  turns: maybe(wholeNumber(1, MAX_TURNS))
}

/** At least one of dollars, minutes in which turns were running, and responses. */
const BudgetLimit = body(limitFields).check(
  Schema.makeFilter(
    ({ minutes, turns, usd }: { readonly usd?: number; readonly minutes?: number; readonly turns?: number }) =>
      usd !== undefined || minutes !== undefined || turns !== undefined,
    failure("MUST_HAVE_A_LIMIT")
  )
)
export type BudgetLimit = typeof BudgetLimit.Type

const Name = text(200)
const WarnAt = number(0.5, 0.99)
const Action = oneOf(BUDGET_ACTIONS)

/** What agents may spend, and what they have spent in this period. */
export const Budget = Schema.Struct({
  id: Schema.String,
  name: Schema.optionalKey(Schema.String),
  scope: BudgetScope,
  period: Schema.Literals(BUDGET_PERIODS),
  limit: Schema.Struct({
    usd: Schema.optionalKey(Schema.Finite),
    minutes: Schema.optionalKey(Schema.Finite),
    turns: Schema.optionalKey(Schema.Int)
  }),
  warnAt: Schema.Finite,
  action: Schema.Literals(BUDGET_ACTIONS),
  /** In which days begin at 00:00. */
  zone: Schema.String,
  createdAt: epochMillis,
  version: Schema.Int,
  /** `unpriced`: responses without a price, which `usd` lacks. */
  spent: Schema.Struct({
    usd: Schema.Finite,
    minutes: Schema.Finite,
    turns: Schema.Int,
    unpriced: Schema.Int
  }),
  /** What was granted beyond the limit in this period. */
  extra: Schema.Struct({
    usd: Schema.optionalKey(Schema.Finite),
    minutes: Schema.optionalKey(Schema.Finite),
    turns: Schema.optionalKey(Schema.Int)
  }),
  state: Schema.Literals(BUDGET_STATES),
  /** When the next period begins; absent for `total` and `run`. */
  resetsAt: Schema.optionalKey(Schema.Finite),
  /** The inbox item about its pause. */
  itemId: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Budget" })
export type Budget = typeof Budget.Type

/** Whether everything is stopped. */
export const StopState = Schema.Struct({
  active: Schema.Boolean,
  since: Schema.optionalKey(Schema.Finite),
  /** `operator`, or `cli` for a command. */
  by: Schema.optionalKey(Schema.String),
  reason: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "StopState" })
export type StopState = typeof StopState.Type

/** Answer of `GET /api/budgets`. */
export const BudgetList = Schema.Struct({ budgets: Schema.Array(Budget), stop: StopState }).annotate({
  identifier: "BudgetList"
})
export type BudgetList = typeof BudgetList.Type

/** Body of `POST /api/budgets`. */
export const NewBudget = body({
  name: maybe(Name),
  scope: required(BudgetScope),
  period: required(oneOf(BUDGET_PERIODS)),
  limit: required(BudgetLimit),
  warnAt: maybe(WarnAt),
  action: maybe(Action),
  zone: maybe(Zone)
})
export type NewBudget = typeof NewBudget.Type

/** Body of `PATCH /api/budgets/:id`: absent fields stay; a `limit` replaces the whole one. */
export const BudgetPatch = body({
  version: required(wholeNumber(1)),
  name: clearable(Name, failure("MUST_BE_TEXT_OR_NULL")),
  limit: maybe(BudgetLimit),
  warnAt: maybe(WarnAt),
  action: maybe(Action),
  zone: maybe(Zone)
})
export type BudgetPatch = typeof BudgetPatch.Type

/** Body of `POST /api/budgets/:id/resolve`; `raise` needs the new limit as `text`. */
export const BudgetDecision = body({ action: required(filledText(100)), text: maybe(filledText(100)) })
export type BudgetDecision = typeof BudgetDecision.Type

/** Data of `budget.changed`. */
export const BudgetChange = Schema.Struct({
  action: Schema.Literals(["created", "updated", "removed", "spent", "warned", "paused", "resumed"]),
  budget: Budget
})
export type BudgetChange = typeof BudgetChange.Type

/** Body of `POST /api/stop`. */
export const StopRequest = body({ reason: maybe(text(500)) })
export type StopRequest = typeof StopRequest.Type

/** Answer of `POST /api/stop`: `stopped` sessions whose turn was running. */
export const Stopped = Schema.Struct({
  active: Schema.Literal(true),
  since: Schema.Finite,
  by: Schema.String,
  stopped: Schema.Int
}).annotate({ identifier: "Stopped" })
export type Stopped = typeof Stopped.Type

/** What holds a message or a card: a budget that is used up, or the stop of everything. */
export const HeldBy = Schema.Union([
  Schema.Struct({ by: Schema.Literal("budget"), id: Schema.String }),
  Schema.Struct({ by: Schema.Literal("stop") })
])
export type HeldBy = typeof HeldBy.Type
