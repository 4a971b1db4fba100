import type { Answers } from "../../../../src/contract/answers/Answers.ts"
import type { Agent } from "../../../../src/contract/answers/KnowledgeAnswers.ts"
import type { EventData } from "../../../../src/contract/ConsoleEvent.ts"
import { fieldsOf, filledText, recordsOf } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { Readable } from "../common/readable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"
import type { KeyValueStorage } from "../link/Environment.ts"

const KEY = "agent-console:knowledge-agent"

/** An agent whose knowledge can be viewed. */
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

/** The agents to choose from, and the one last viewed in this browser. */
export function createKnowledgeAgents(api: ApiClient, events: EventStream, storage: KeyValueStorage): KnowledgeAgents {
  const state = createObservable<KnowledgeAgentsState>({ status: "loading", message: null, agents: [], last: null })

  async function load(): Promise<void> {
    if (state.get().status === "failed") publish({ status: "loading", message: null })
    const result = await api.request("GET", "/api/agents", (body) => {
      const { agents } = fieldsOf<Answers["GET /api/agents"]>(body)
      return Array.isArray(agents) ? recordsOf<Agent>(agents) : null
    })
    if (result.ok) {
      const agents = result.value.flatMap(
        ({ id, name, isDefault, workspace }): ReadonlyArray<KnowledgeAgent> =>
          typeof id === "string"
            ? [{ id, name: filledText(name) ?? id, isDefault: isDefault === true, isNew: workspace === "new" }]
            : []
      )
      publish({ status: "ready", message: null, agents })
    } else if (state.get().status !== "ready") {
      publish({ status: "failed", message: result.error.message })
    }
  }

  const publish = (change: Partial<KnowledgeAgentsState>) => state.set({ ...state.get(), ...change })

  publish({ last: filledText(storage.getItem(KEY)) })
  // The console couldn't ask the gateway before.
  events.on("status.changed", ({ data }) => {
    if (fieldsOf<EventData["status.changed"]>(data).gateway === "ok") void load()
  })
  for (const name of ["file.changed", "memory.changed"] as const) {
    events.on(name, ({ data }) => {
      const { agent } = fieldsOf<EventData["file.changed" | "memory.changed"]>(data)
      if (state.get().agents.some(({ id, isNew }) => isNew && id === agent)) void load()
    })
  }

  return {
    state,
    load,
    choose: (asked) => {
      const { status, agents, last } = state.get()
      const wanted = asked ?? last
      if (wanted === null) return { kind: "agent", id: null }
      if (status !== "ready") return { kind: status }
      const found = agents.find(({ id }) => id === wanted)
      if (found !== undefined) return { kind: "agent", id: found.isDefault ? null : found.id }
      return asked === null ? { kind: "agent", id: null } : { kind: "unknown", id: asked }
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
