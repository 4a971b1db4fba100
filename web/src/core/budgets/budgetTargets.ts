import { PRIMARY } from "../../../../src/contract/qualifiedKey.ts"
import type { Budget, BudgetScope } from "../../../../src/contract/schema/budget.ts"
import type { TaskPage } from "../../../../src/contract/schema/task.ts"
import { decodeAgents } from "../agents/agentList.ts"
import type { Client } from "../client/Client.ts"
import { readJobs } from "../operations/cronJobs.ts"
import { scopeKey } from "./budgetRules.ts"
import type { ScopeNames } from "./budgetText.ts"

/** Something that a budget can be for. */
export interface Target {
  readonly value: string
  readonly label: string
}

type Source = Pick<Client, "api" | "sessions" | "gateways" | "connectDefaults">

const readCards = ({ items }: TaskPage): ReadonlyArray<Target> =>
  items.map(({ id, title }) => ({ value: id, label: title }))

/** The gateways, also the only one. */
export const gatewayTargets = ({ connectDefaults, gateways }: Source): ReadonlyArray<Target> => {
  const all = gateways.get() ?? []
  if (all.length > 0) return all.map(({ id, name }) => ({ value: id, label: name }))
  return [{ value: PRIMARY, label: connectDefaults.get()?.agentName ?? PRIMARY }]
}

async function askTargets({ api }: Source, kind: "agent" | "job" | "task", gatewayId: string) {
  const at = `?gateway=${encodeURIComponent(gatewayId)}`
  if (kind === "task")
    return api.request("GET", "/api/kanban/tasks?status=backlog,todo,in-progress&limit=200", readCards)
  if (kind === "job")
    return api.request("GET", `/api/crons${at}`, (answer: Parameters<typeof readJobs>[0]) =>
      readJobs(answer).map(({ id, name }): Target => ({ value: id, label: name }))
    )
  return api.request("GET", `/api/agents${at}`, (answer) =>
    decodeAgents(answer).map(({ id, name }): Target => ({ value: id, label: name }))
  )
}

/** What a budget of this kind can be for; nothing where the answer doesn't come. */
export async function targetsOf(
  client: Source,
  kind: BudgetScope["kind"],
  gatewayId: string
): Promise<ReadonlyArray<Target>> {
  if (kind === "all") return []
  if (kind === "gateway") return gatewayTargets(client)
  if (kind === "session")
    return client.sessions.state.get().rows.map(({ key, title }) => ({ value: key, label: title }))
  const asked = await askTargets(client, kind, gatewayId)
  return asked.ok ? asked.value : []
}

/** Asks for the names of what budgets are for. */
export async function askScopeNames(
  client: Source,
  budgets: ReadonlyArray<Pick<Budget, "scope">>
): Promise<ScopeNames> {
  const names = new Map<string, string>()
  const scopes = budgets.map(({ scope }) => scope)
  for (const { value, label } of gatewayTargets(client))
    names.set(scopeKey({ kind: "gateway", gatewayId: value }), label)
  for (const { key, title } of client.sessions.state.get().rows) names.set(`session ${key}`, title)
  const ids = scopes.flatMap((scope) => (scope.kind === "task" ? [scope.taskId] : []))
  const gatewaysOf = (kind: "agent" | "job") => [
    ...new Set(scopes.flatMap((scope) => (scope.kind === kind ? [scope.gatewayId ?? PRIMARY] : [])))
  ]
  const cards = async () => {
    const query = new URLSearchParams({ ids: [...new Set(ids)].join() })
    const asked = ids.length === 0 ? null : await client.api.request("GET", `/api/kanban/tasks?${query}`, readCards)
    if (asked?.ok === true)
      for (const { value, label } of asked.value) names.set(scopeKey({ kind: "task", taskId: value }), label)
  }
  const others = (["agent", "job"] as const).flatMap((kind) =>
    gatewaysOf(kind).map(async (gatewayId) => {
      const asked = await askTargets(client, kind, gatewayId)
      if (!asked.ok) return
      for (const { value, label } of asked.value) names.set(`${kind} ${gatewayId} ${value}`, label)
    })
  )
  await Promise.all([cards(), ...others])
  return names
}
