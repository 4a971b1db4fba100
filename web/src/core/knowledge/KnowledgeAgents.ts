import { filledText } from "../../../../src/contract/looseFields.ts"
import { keyParts, PRIMARY, qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type { Agent, AgentList } from "../../../../src/contract/schema/knowledge.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
import type { GatewayName } from "../link/apiTypes.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import type { Connections } from "./agentConnections.ts"

const KEY = "agent-console:knowledge-agent"

/** An agent whose knowledge can be viewed; one of an added gateway has the id `@<gateway>:<agent>`. */
export interface KnowledgeAgent extends Pick<Agent, "id" | "name" | "isDefault"> {
  /** Its folder doesn't exist yet: the first save creates it. */
  readonly isNew: boolean
}

export interface KnowledgeAgentsState {
  readonly status: "loading" | "ready" | "failed"
  /** Why the agents couldn't be loaded. */
  readonly message: string | null
  /** The default one first. */
  readonly agents: ReadonlyArray<KnowledgeAgent>
  /** The one last viewed in this browser; null for the default one. */
  readonly last: string | null
  /** The ids of added gateways that couldn't be asked. */
  readonly silent: ReadonlyArray<string>
}

/** Whose knowledge is shown; `id` is null for the default agent, which needs no name anywhere. */
export type AgentChoice =
  | { readonly kind: "agent"; readonly id: string | null }
  /** Nobody knows yet whether this agent exists. */
  | { readonly kind: "loading" | "failed" }
  | { readonly kind: "unknown"; readonly id: string }

export interface KnowledgeAgents {
  readonly state: Readable<KnowledgeAgentsState>
  load(): Promise<void>
  /** The agent that an address asks for, otherwise the one last viewed, as far as they exist. */
  choose(asked: string | null): AgentChoice
  /** How an address names an agent: not at all if there is only one. */
  nameOf(id: string | null): string | null
  /** Remembers whose knowledge is viewed for the next visit. */
  remember(id: string | null): void
}

const agentOf = ({ id, name, isDefault, workspace }: Agent): KnowledgeAgent => ({
  id,
  name: name.trim() === "" ? id : name,
  isDefault,
  isNew: workspace === "new"
})

/** The agents to choose from, and the one last viewed in this browser. */
export function createKnowledgeAgents(
  { api, events, gateways }: Connections,
  storage: KeyValueStorage
): KnowledgeAgents {
  const state = createObservable<KnowledgeAgentsState>({
    status: "loading",
    message: null,
    agents: [],
    last: null,
    silent: []
  })

  const ask = (path: string) => api.request("GET", path, ({ agents }: AgentList) => agents.map(agentOf))

  /** The agents of an added gateway; null if it can't be asked. */
  async function askAdded({ id: gatewayId, name }: GatewayName): Promise<ReadonlyArray<KnowledgeAgent> | null> {
    const answer = await ask(`/api/agents?gateway=${gatewayId}`)
    if (!answer.ok) return null
    return answer.value.map((agent) => ({
      ...agent,
      id: qualifiedKey(gatewayId, agent.id),
      name: `${agent.name} · ${name}`,
      // Only one agent needs no name in an address.
      isDefault: false
    }))
  }

  let loads = 0
  let loading = Promise.resolve()
  /** The added gateways that the latest load asks. */
  let asked = ""
  const addedGateways = () => (gateways.get() ?? []).slice(1)
  const idsOf = (added: ReadonlyArray<GatewayName>) => added.map(({ id, name }) => `${id} ${name}`).join()

  const load = () => {
    loading = read()
    return loading
  }

  async function read(): Promise<void> {
    if (state.get().status === "failed") publish({ status: "loading", message: null })
    const added = addedGateways()
    asked = idsOf(added)
    const number = ++loads
    const [own, ...others] = await Promise.all([ask("/api/agents"), ...added.map(askAdded)])
    // A later load asks the gateways that are known by now.
    if (number !== loads) return
    const known = (gatewayId: string) => state.get().agents.filter(({ id }) => keyParts(id).gatewayId === gatewayId)
    const ofAdded = added.flatMap(({ id }, index) => others[index] ?? known(id))
    publish({
      agents: [...(own.ok ? own.value : known(PRIMARY)), ...ofAdded],
      silent: added.flatMap(({ id }, index) => (others[index] === null ? [id] : []))
    })
    if (own.ok) publish({ status: "ready", message: null })
    else if (state.get().status !== "ready") publish({ status: "failed", message: own.error.message })
  }

  const publish = (change: Partial<KnowledgeAgentsState>) => state.set({ ...state.get(), ...change })

  publish({ last: filledText(storage.getItem(KEY)) })
  let couldAsk = true
  events.on("status.changed", async ({ data }) => {
    const couldBefore = couldAsk
    couldAsk = data.gateway === "ok"
    if (!couldAsk) return
    // Each new stream repeats the status; agents that have been read, or are on their way, are those of this gateway.
    if (couldBefore) await loading
    if (!couldBefore || state.get().status === "failed") void load()
  })
  gateways.subscribe(() => {
    if (loads > 0 && idsOf(addedGateways()) !== asked) void load()
  })
  for (const name of ["file.changed", "memory.changed"] as const) {
    events.on(name, ({ data: { agent } }) => {
      if (state.get().agents.some(({ id, isNew }) => isNew && id === agent)) void load()
    })
  }

  return {
    state,
    load,
    choose: (asked) => {
      const { status, agents, last, silent } = state.get()
      const wanted = asked ?? last
      if (wanted === null) return { kind: "agent", id: null }
      const found = agents.find(({ id }) => id === wanted)
      if (found !== undefined) return { kind: "agent", id: found.isDefault ? null : found.id }
      if (status !== "ready") return { kind: status }
      if (asked === null) return { kind: "agent", id: null }
      return silent.includes(keyParts(asked).gatewayId) ? { kind: "failed" } : { kind: "unknown", id: asked }
    },
    nameOf: (id) => {
      const { agents } = state.get()
      return agents.length > 1 ? (id ?? agents.find(({ isDefault }) => isDefault)?.id ?? null) : id
    },
    remember: (id) => {
      if (state.get().last === id) return
      publish({ last: id })
      try {
        if (id === null) storage.removeItem(KEY)
        else storage.setItem(KEY, id)
      } catch {
        // It is known for the life of the page.
      }
    }
  }
}
