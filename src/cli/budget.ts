import { Console, Effect, Option, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { Budget, BudgetList, type BudgetScope, Stopped, type StopState } from "../contract/schema/budget.ts"
import { Done } from "../contract/schema/fields.ts"
import { type Asking, askConsole } from "./askConsole.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { loadCommandSettings } from "./commandSettings.ts"
import { exitCodes } from "./exitCodes.ts"

const TIME = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short" })

const ask = <A>(asking: Omit<Asking<A>, "exitCode" | "withoutConsole">) =>
  loadCommandSettings.pipe(
    Effect.mapError(({ message }) => new CommandFailure({ message, exitCode: exitCodes.settings })),
    Effect.flatMap(({ svcHome }) =>
      askConsole(svcHome, { ...asking, exitCode: exitCodes.budget, withoutConsole: exitCodes.noWork })
    ),
    Effect.provide(FetchHttpClient.layer)
  )

const scopeWords = (scope: BudgetScope): string => {
  const at = "gatewayId" in scope && scope.gatewayId !== "primary" ? ` at ${scope.gatewayId}` : ""
  switch (scope.kind) {
    case "all":
      return "everything"
    case "gateway":
      return `gateway ${scope.gatewayId}`
    case "agent":
      return `agent ${scope.agentId}${at}`
    case "task":
      return `card ${scope.taskId}`
    case "job":
      return `job ${scope.jobId}${at}`
    case "session":
      return `session ${scope.sessionKey}${at}`
  }
}

const rounded = (value: number): string => String(Math.round(value * 100) / 100)

/** What was spent of each limit, with what was granted beyond it. */
const spentWords = ({ extra, limit, spent }: Budget): string =>
  [
    limit.usd === undefined ? [] : [`$${spent.usd.toFixed(2)} of $${(limit.usd + (extra.usd ?? 0)).toFixed(2)}`],
    limit.minutes === undefined
      ? []
      : [`${rounded(spent.minutes)} of ${rounded(limit.minutes + (extra.minutes ?? 0))} min`],
    limit.turns === undefined ? [] : [`${spent.turns} of ${limit.turns + (extra.turns ?? 0)} turns`]
  ]
    .flat()
    .join(", ")

const stopWords = ({ active, by, reason, since }: StopState): string =>
  active && since !== undefined
    ? `Everything is stopped since ${TIME.format(since)} (${by ?? "operator"})${reason === undefined ? "" : `: ${reason}`}`
    : ""

/** All of them as a table. */
export const budgetTable = ({ budgets, stop }: BudgetList): string => {
  const rows = budgets.map((one) => [one.id, one.name ?? scopeWords(one.scope), one.period, spentWords(one), one.state])
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  )
  const stopped = stopWords(stop)
  return [...(stopped === "" ? [] : [stopped]), ...(lines.length === 0 ? ["No budgets."] : lines)].join("\n")
}

/** `agent-console budget list`. */
export const listBudgets = (json: boolean) =>
  Effect.gen(function* () {
    const list = yield* ask({ method: "GET", path: "/api/budgets", answer: BudgetList, what: "list its budgets" })
    yield* Console.log(json ? JSON.stringify(list, null, 2) : budgetTable(list))
  })

type Text = Option.Option<string>

interface AddFlags {
  readonly usd: Text
  readonly minutes: Text
  readonly turns: Text
  readonly period: string
  readonly gateway: Text
  readonly agent: Text
  readonly task: Text
  readonly job: Text
  readonly session: Text
  readonly name: Text
  readonly warnAt: Text
  readonly action: string
  readonly zone: Text
}

const usage = (message: string) => new CommandFailure({ message, exitCode: exitCodes.usage })

/** The flags that were given, by the name of their field. */
const given = (flags: Readonly<Record<string, Text>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([name, value]) => (Option.isSome(value) ? [[name, value.value]] : []))
  )

const scopeOf = ({ agent, gateway, job, session, task }: AddFlags) => {
  const of = given({ agentId: agent, taskId: task, jobId: job, sessionKey: session })
  const [named, ...more] = Object.entries(of)
  if (more.length > 0) return Effect.fail(usage("a budget is for one of --agent, --task, --job and --session"))
  const at = given({ gatewayId: gateway })
  if (named === undefined) return Effect.succeed(Option.isSome(gateway) ? { kind: "gateway", ...at } : { kind: "all" })
  const kinds: Readonly<Record<string, string>> = {
    agentId: "agent",
    taskId: "task",
    jobId: "job",
    sessionKey: "session"
  }
  const [field, value] = named
  return Effect.succeed({ kind: kinds[field], [field]: value, ...(field === "taskId" ? {} : at) })
}

/** `agent-console budget add`. */
export const addBudget = (flags: AddFlags) =>
  Effect.gen(function* () {
    const { action, minutes, name, period, turns, usd, warnAt, zone } = flags
    const numbers = (texts: Readonly<Record<string, Text>>) =>
      Object.fromEntries(Object.entries(given(texts)).map(([field, value]) => [field, Number(value)]))
    const limit = numbers({ usd, minutes, turns })
    if (Object.keys(limit).length === 0) return yield* usage("a budget needs a limit: --usd, --minutes or --turns")
    const added = yield* ask({
      method: "POST",
      path: "/api/budgets",
      body: { scope: yield* scopeOf(flags), period, limit, action, ...numbers({ warnAt }), ...given({ name, zone }) },
      answer: Budget,
      what: "add the budget"
    })
    yield* Console.log(`Added ${added.id}: ${spentWords(added)}.`)
  })

/** `agent-console budget remove`. */
export const removeBudget = (id: string) =>
  Effect.gen(function* () {
    yield* ask({
      method: "DELETE",
      path: `/api/budgets/${encodeURIComponent(id)}`,
      answer: Done,
      what: "remove the budget"
    })
    yield* Console.log(`Removed ${id}.`)
  })

/** `agent-console stop`. */
export const stopEverything = (reason: Text) =>
  Effect.gen(function* () {
    const { stopped } = yield* ask({
      method: "POST",
      path: "/api/stop",
      body: given({ reason }),
      answer: Stopped,
      what: "stop everything"
    })
    yield* Console.log(
      `Everything is stopped: ${stopped} running ${stopped === 1 ? "session" : "sessions"} now. Let work go on with \`agent-console resume\`.`
    )
  })

/** `agent-console resume`. */
export const goOn = () =>
  Effect.gen(function* () {
    yield* ask({
      method: "DELETE",
      path: "/api/stop",
      answer: Schema.Struct({ active: Schema.Literal(false) }),
      what: "let work go on"
    })
    yield* Console.log("Work goes on.")
  })
