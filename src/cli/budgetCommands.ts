import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { BUDGET_ACTIONS, BUDGET_PERIODS } from "../contract/budget.ts"
import { off } from "./off.ts"

const budget = Effect.promise(() => import("./budget.ts"))

const text = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.optional)

const addFlags = {
  usd: text("usd", "dollars", "the limit in US dollars"),
  minutes: text("minutes", "minutes", "the limit in minutes of running turns"),
  turns: text("turns", "number", "the limit in responses"),
  period: Flag.Literals("period", BUDGET_PERIODS).pipe(
    Flag.withDescription("after which it begins anew; run is for a card, a job or a session"),
    Flag.withDefault("day")
  ),
  gateway: text("gateway", "id", "for one gateway, or whose agent, job or session it is"),
  agent: text("agent", "id", "for one agent"),
  task: text("task", "id", "for one card"),
  job: text("job", "id", "for one scheduled job"),
  session: text("session", "key", "for one session"),
  name: text("name", "name", "what to call it"),
  warnAt: text("warn-at", "part", "the part of the limit at which it warns, 0.5 to 0.99"),
  action: Flag.Literals("action", BUDGET_ACTIONS).pipe(
    Flag.withDescription("what happens at the limit: ask how to go on, or stop until somebody says so"),
    Flag.withDefault("ask")
  ),
  zone: text("zone", "zone", "time zone in which days begin, such as Europe/Berlin; the console's own if omitted")
}

export const budgetCommand = Command.make("budget").pipe(
  Command.withDescription("Limit what agents spend; exits with 69 if no console is running"),
  Command.withShortDescription("Limit what agents spend"),
  Command.withExamples([
    { command: "agent-console budget list", description: "What was spent of each, and what is paused" },
    { command: "agent-console budget add --usd 5", description: "Five dollars a day for everything" },
    {
      command: "agent-console budget add --agent coder --period week --usd 20 --minutes 600",
      description: "For one agent, whichever limit comes first"
    },
    { command: "agent-console budget remove 3f2a…", description: "What only it held goes on" }
  ]),
  Command.withSubcommands([
    Command.make("list", { json: off("json", "print it as JSON") }, ({ json }) =>
      Effect.flatMap(budget, ({ listBudgets }) => listBudgets(json))
    ).pipe(Command.withDescription("Show the budgets, newest first, and whether everything is stopped")),
    Command.make("add", addFlags, (flags) => Effect.flatMap(budget, ({ addBudget }) => addBudget(flags))).pipe(
      Command.withDescription("Add a budget; what its period has spent already counts")
    ),
    Command.make("remove", { id: Argument.String("id") }, ({ id }) =>
      Effect.flatMap(budget, ({ removeBudget }) => removeBudget(id))
    ).pipe(Command.withDescription("Remove a budget; what only it held goes on"))
  ])
)

export const stopCommand = Command.make(
  "stop",
  { reason: text("reason", "words", "why, for those who find their work stopped") },
  ({ reason }) => Effect.flatMap(budget, ({ stopEverything }) => stopEverything(reason))
).pipe(
  Command.withDescription(
    "Stop every running turn on every gateway and hold all work until `agent-console resume`; exits with 69 if no console is running"
  ),
  Command.withShortDescription("Stop all agents, and keep them stopped")
)

export const resumeCommand = Command.make("resume", {}, () => Effect.flatMap(budget, ({ goOn }) => goOn())).pipe(
  Command.withDescription(
    "Let work go on after `agent-console stop`: held messages are sent, stopped runs stay stopped; exits with 69 if no console is running"
  ),
  Command.withShortDescription("Let work go on after a stop")
)
