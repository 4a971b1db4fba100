import { Effect, Layer, Schema } from "effect"
import { McpProtocol, McpSchema, McpServer } from "effect/ai"
import type { AgentRight } from "../../contract/agentRights.ts"
import { packageInfo } from "../../services/platform/version/packageInfo.ts"
import { BoardResources } from "./boardResources.ts"
import { BoardToolHandlers, BoardTools } from "./boardTools.ts"
import { BudgetToolHandlers, BudgetTools } from "./budgetTools.ts"
import { Caller, callerOnly } from "./Caller.ts"
import { PersonToolHandlers, PersonTools } from "./personTools.ts"
import { SearchToolHandlers, SearchTools } from "./searchTools.ts"

/** The rights of which a tool needs one. */
const TOOL_RIGHTS: Readonly<Record<string, ReadonlyArray<AgentRight>>> = {
  list_tasks: ["read"],
  get_task: ["read"],
  get_budget: ["read"],
  create_task: ["write", "propose"],
  update_task: ["write", "propose"],
  move_task: ["write", "propose"],
  propose: ["propose", "write"],
  claim_task: ["write"],
  complete_task: ["write"],
  comment_task: ["write"],
  ask_person: ["ask"],
  get_answer: ["ask"],
  search: ["search"]
}

/** The rights of which a tool needs one, by its name, or a resource, by its address: those are for reading. */
const rightsFor = (target: string): ReadonlyArray<AgentRight> =>
  (Object.hasOwn(TOOL_RIGHTS, target) ? TOOL_RIGHTS[target] : undefined) ?? ["read"]

/** Whether one of the rights is enough. */
const mayUse = (held: ReadonlyArray<AgentRight>, target: string): boolean =>
  rightsFor(target).some((right) => held.includes(right))

/** The token doesn't allow what it was used for; the code is of the range that servers may choose from. */
class MissingRight extends Schema.Error<MissingRight>("MissingRight")({
  ...McpSchema.McpErrorBase.fields,
  _tag: Schema.tag("MissingRight"),
  code: Schema.tag(-32_001)
}) {}

const visible = McpServer.visibility(({ target }) => Effect.map(Caller, ({ rights }) => mayUse(rights, target)))

/** Says which right is missing, instead of that there is no such tool; lists just leave it out. */
const withRight = McpServer.middleware((effect, { method, target }) =>
  Effect.flatMap(Caller, ({ rights }) =>
    method.endsWith("/list") || mayUse(rights, target)
      ? effect
      : Effect.fail(
          new MissingRight({
            message: `This token lacks the right to ${rightsFor(target).join(" or ")}. A person can create another one in the console's settings, under Agents.`
          })
        )
  )
)

const Registrations = Layer.mergeAll(
  McpServer.toolkit(BoardTools).pipe(Layer.provide(BoardToolHandlers)),
  McpServer.toolkit(PersonTools).pipe(Layer.provide(PersonToolHandlers)),
  McpServer.toolkit(BudgetTools).pipe(Layer.provide(BudgetToolHandlers)),
  McpServer.toolkit(SearchTools).pipe(Layer.provide(SearchToolHandlers)),
  BoardResources
).pipe(Layer.provide(visible.combine(withRight).layer))

/** The console's tools by the Model Context Protocol over HTTP, for clients with a token. */
export const McpApp = McpServer.layerHttp({
  name: "agent-console",
  version: packageInfo.version,
  instructions:
    "Tasks on a shared board, and a person to ask. Read board://rules first. Claim a task before you work on it, complete it with a result, and ask the person when you can't decide.",
  path: "/mcp",
  allowSessionTermination: true,
  protocols: [McpProtocol.v2026_07_28, McpProtocol.v2025_11_25, McpProtocol.v2025_06_18, McpProtocol.v2025_03_26],
  registrations: Registrations
}).pipe(Layer.provide(callerOnly.layer))
