import { Effect, Schema } from "effect"
import type { Gateway, PracticeAgent } from "../Gateway.ts"
import { DEMO_MODELS, fullModelId } from "../sessions/models.ts"
import { invalidRequest } from "../wire/GatewayRefusal.ts"
import { type GatewayMethod, method, NoParams } from "./method.ts"

const text = Schema.optionalKey(Schema.String)

/** What the agents of a seeded gateway are told and remember. */
const STARTING_TEXTS: ReadonlyArray<readonly [string, string]> = [
  ["SOUL.md", "# Soul\n\nKind, brief and honest.\n"],
  ["IDENTITY.md", "# Identity\n\nAn agent to practise with.\n"],
  ["MEMORY.md", "# Memory\n\n## General\n- Tea rather than coffee\n"],
  ["memory/2026-01-05.md", "## The first day\n- Said hello\n"]
]
const startingTexts = (seed: boolean): PracticeAgent["texts"] =>
  new Map(seed ? STARTING_TEXTS.map(([name, content]) => [name, { content, at: 0 }]) : [])

/** The agents a gateway starts with: the default one, then those it was given. */
export const startingAgents = (
  home: string,
  others: ReadonlyArray<Pick<PracticeAgent, "id" | "name">>,
  seed: boolean
): Array<PracticeAgent> => [
  { id: "main", name: undefined, workspace: `${home}/workspace`, texts: startingTexts(seed) },
  ...others.map(({ id, name }) => ({ id, name, workspace: `${home}/workspace-${id}`, texts: startingTexts(seed) }))
]

const named = ({ name }: PracticeAgent) => (name === undefined ? {} : { name })

const agentRow = (agent: PracticeAgent) => ({
  id: agent.id,
  ...named(agent),
  ...(agent.name === undefined ? {} : { identity: named(agent) }),
  workspace: agent.workspace,
  model: { primary: fullModelId(DEMO_MODELS[0]) }
})

const idOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64)

const create = Effect.fnUntraced(function* (
  gateway: Gateway,
  { name, workspace }: { readonly name: string; readonly workspace?: string }
) {
  const id = idOf(name)
  if (id === "main") return yield* invalidRequest('"main" is reserved')
  if (gateway.agents.some((agent) => agent.id === id)) return yield* invalidRequest(`agent "${id}" already exists`)
  const agent: PracticeAgent = {
    id,
    name,
    workspace: workspace ?? `${gateway.home}/workspace/${id}`,
    texts: new Map()
  }
  gateway.agents.push(agent)
  gateway.hub.emitToReaders({
    event: "config.changed",
    payload: { path: "openclaw.json", hash: gateway.newId(), ts: gateway.now() }
  })
  return { ok: true, agentId: id, name, workspace: agent.workspace }
})

/** The agents and where their files are; only the names matter, no folders are created. */
export const agentMethods: ReadonlyArray<GatewayMethod> = [
  method("agents.list", "operator.read", NoParams, (_, { gateway }) =>
    Effect.sync(() => ({
      defaultId: "main",
      mainKey: "main",
      scope: "per-sender",
      agents: gateway.agents.map(agentRow)
    }))
  ),
  method(
    "agents.create",
    "operator.admin",
    Schema.Struct({ name: Schema.String, workspace: text, emoji: text, avatar: text }),
    (params, { gateway }) => create(gateway, params)
  )
]
