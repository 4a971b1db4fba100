import {
  type BudgetAction,
  type BudgetPeriod,
  DEFAULT_WARN_AT,
  MAX_MINUTES,
  MAX_TURNS,
  MAX_USD
} from "../../../../src/contract/budget.ts"
import { keyParts, PRIMARY, qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type {
  Budget,
  BudgetLimit,
  BudgetPatch,
  BudgetScope,
  NewBudget
} from "../../../../src/contract/schema/budget.ts"
import { say } from "../language/say.ts"
import { BUDGET_UNITS, type BudgetUnit } from "./budgetRules.ts"

/** A budget as its form has it. */
export interface BudgetForm {
  readonly name: string
  readonly kind: BudgetScope["kind"]
  /** Of an agent or a job. */
  readonly gatewayId: string
  /** The id of what the kind is about; a session's key among those of all gateways. */
  readonly target: string
  readonly period: BudgetPeriod
  readonly usd: string
  readonly minutes: string
  readonly turns: string
  /** In per cent. */
  readonly warnAt: string
  readonly action: BudgetAction
}

export type BudgetField = "target" | "limit" | "warnAt"

export interface BudgetFault {
  readonly field: BudgetField
  readonly message: string
}

export type Read<A> = { readonly ok: true; readonly value: A } | ({ readonly ok: false } & BudgetFault)

/** What a scope's kind is about, as the form has it. */
const targetOf = (scope: BudgetScope): Pick<BudgetForm, "gatewayId" | "target"> => {
  switch (scope.kind) {
    case "all":
      return { gatewayId: PRIMARY, target: "" }
    case "gateway":
      return { gatewayId: PRIMARY, target: scope.gatewayId }
    case "agent":
      return { gatewayId: scope.gatewayId ?? PRIMARY, target: scope.agentId }
    case "task":
      return { gatewayId: PRIMARY, target: scope.taskId }
    case "job":
      return { gatewayId: scope.gatewayId ?? PRIMARY, target: scope.jobId }
    case "session":
      return { gatewayId: PRIMARY, target: qualifiedKey(scope.gatewayId ?? PRIMARY, scope.sessionKey) }
  }
}

/** The scope that is chosen. */
export const scopeOf = ({
  gatewayId,
  kind,
  target
}: Pick<BudgetForm, "gatewayId" | "kind" | "target">): BudgetScope => {
  switch (kind) {
    case "all":
      return { kind }
    case "gateway":
      return { kind, gatewayId: target }
    case "agent":
      return { kind, gatewayId, agentId: target }
    case "task":
      return { kind, taskId: target }
    case "job":
      return { kind, gatewayId, jobId: target }
    case "session": {
      const { gatewayId: own, key } = keyParts(target)
      return { kind, gatewayId: own, sessionKey: key }
    }
  }
}

const RUN_KINDS: ReadonlySet<BudgetScope["kind"]> = new Set(["task", "job", "session"])

/** The periods that a kind of scope can have. */
export const periodsOf = (kind: BudgetScope["kind"]): ReadonlyArray<BudgetPeriod> =>
  RUN_KINDS.has(kind) ? ["run", "day", "week", "month", "total"] : ["day", "week", "month", "total"]

/** The period a new budget begins with: a card is worked on in runs, everything else day by day. */
const firstPeriod = (kind: BudgetScope["kind"]): BudgetPeriod =>
  kind === "task" ? "total" : kind === "job" ? "run" : "day"

/** The form with another kind of scope. */
export const withKind = (form: BudgetForm, kind: BudgetScope["kind"]): BudgetForm => ({
  ...form,
  kind,
  target: "",
  // What nobody chose is what this kind begins with.
  period:
    form.period === firstPeriod(form.kind) || !periodsOf(kind).includes(form.period) ? firstPeriod(kind) : form.period
})

export const newBudgetForm = (scope: BudgetScope | null): BudgetForm => ({
  name: "",
  kind: scope?.kind ?? "all",
  ...targetOf(scope ?? { kind: "all" }),
  period: firstPeriod(scope?.kind ?? "all"),
  usd: "",
  minutes: "",
  turns: "",
  warnAt: String(DEFAULT_WARN_AT * 100),
  action: "ask"
})

const numberText = (value: number | undefined): string => (value === undefined ? "" : String(value))

export const budgetForm = ({ action, limit, name = "", period, scope, warnAt }: Budget): BudgetForm => ({
  name,
  kind: scope.kind,
  ...targetOf(scope),
  period,
  usd: numberText(limit.usd),
  minutes: numberText(limit.minutes),
  turns: numberText(limit.turns),
  warnAt: String(Math.round(warnAt * 100)),
  action
})

const MAXIMA: Readonly<Record<BudgetUnit, number>> = { usd: MAX_USD, minutes: MAX_MINUTES, turns: MAX_TURNS }

const DECIMAL = /^\d+(?:\.\d+)?$|^\.\d+$/

/** A number as people write it, with a point or a comma; null for anything else. */
export const numberIn = (text: string): number | null => {
  const plain = text
    .trim()
    .replace(/^\$\s*/, "")
    .replace(",", ".")
  return DECIMAL.test(plain) ? Number(plain) : null
}

/** The amount of a unit that a person wrote, or what is wrong with it. */
export const amountIn = (unit: BudgetUnit, text: string): Read<number> => {
  const value = numberIn(text)
  const max = MAXIMA[unit]
  const fault = (message: string) => ({ ok: false, field: "limit", message }) as const
  if (value === null) return fault(say("Write numbers only, such as 5 or 0.50."))
  if (!(value > 0 && value <= max)) return fault(say("Choose more than 0 and at most {max}.", { max }))
  if (unit === "turns" && !Number.isInteger(value)) return fault(say("Responses are whole numbers."))
  return { ok: true, value }
}

function limitIn(form: BudgetForm): Read<BudgetLimit> {
  const limit: { [Unit in BudgetUnit]?: number } = {}
  for (const unit of BUDGET_UNITS) {
    if (form[unit].trim() === "") continue
    const amount = amountIn(unit, form[unit])
    if (!amount.ok) return amount
    limit[unit] = amount.value
  }
  if (Object.keys(limit).length === 0)
    return { ok: false, field: "limit", message: say("Set a limit in dollars, minutes or responses.") }
  return { ok: true, value: limit }
}

function warnAtIn(form: BudgetForm): Read<number> {
  const percent = numberIn(form.warnAt)
  return percent === null || percent < 50 || percent > 99
    ? { ok: false, field: "warnAt", message: say("Choose 50 to 99 per cent.") }
    : { ok: true, value: percent / 100 }
}

const NO_TARGETS: Readonly<Record<Exclude<BudgetScope["kind"], "all">, string>> = {
  gateway: say("Choose a gateway."),
  agent: say("Choose an agent."),
  task: say("Choose a card."),
  job: say("Choose a job."),
  session: say("Choose a session.")
}

/** A new budget out of its form; days begin at midnight in `zone`. */
export function budgetIn(form: BudgetForm, zone: string): Read<NewBudget> {
  if (form.kind !== "all" && form.target === "") return { ok: false, field: "target", message: NO_TARGETS[form.kind] }
  const limit = limitIn(form)
  if (!limit.ok) return limit
  const warnAt = warnAtIn(form)
  if (!warnAt.ok) return warnAt
  const { action, period } = form
  const name = form.name.trim()
  return {
    ok: true,
    value: {
      scope: scopeOf(form),
      period,
      limit: limit.value,
      warnAt: warnAt.value,
      action,
      zone,
      ...(name === "" ? {} : { name })
    }
  }
}

/** What changes in a budget; scope and period stay. */
export function patchIn(form: BudgetForm, budget: Budget): Read<BudgetPatch> {
  const limit = limitIn(form)
  if (!limit.ok) return limit
  const warnAt = warnAtIn(form)
  if (!warnAt.ok) return warnAt
  const name = form.name.trim()
  const { action } = form
  const { version } = budget
  return {
    ok: true,
    value: { version, name: name === "" ? null : name, limit: limit.value, warnAt: warnAt.value, action }
  }
}
