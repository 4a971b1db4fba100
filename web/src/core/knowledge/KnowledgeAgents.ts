import type { Answers } from "../../../../src/contract/answers/Answers.ts"
import type { Agent } from "../../../../src/contract/answers/KnowledgeAnswers.ts"
import type { EventData } from "../../../../src/contract/ConsoleEvent.ts"
import { fieldsOf, filledText, recordsOf } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
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

/** The agents to choose from, and the one last viewed in this browser. */
export class KnowledgeAgents {
  readonly state = createObservable<KnowledgeAgentsState>({ status: "loading", message: null, agents: [], last: null })
  private readonly api: ApiClient
  private readonly storage: KeyValueStorage

  constructor(api: ApiClient, events: EventStream, storage: KeyValueStorage) {
    this.api = api
    this.storage = storage
    this.publish({ last: filledText(storage.getItem(KEY)) })
    // The console couldn't ask the gateway before.
    events.on("status.changed", ({ data }) => {
      if (fieldsOf<EventData["status.changed"]>(data).gateway === "ok") void this.load()
    })
    for (const name of ["file.changed", "memory.changed"] as const) {
      events.on(name, ({ data }) => {
        const { agent } = fieldsOf<EventData["file.changed" | "memory.changed"]>(data)
        if (this.state.get().agents.some(({ id, isNew }) => isNew && id === agent)) void this.load()
      })
    }
  }

  async load(): Promise<void> {
    if (this.state.get().status === "failed") this.publish({ status: "loading", message: null })
    const result = await this.api.request("GET", "/api/agents", (body) => {
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
      this.publish({ status: "ready", message: null, agents })
    } else if (this.state.get().status !== "ready") {
      this.publish({ status: "failed", message: result.error.message })
    }
  }

  /** The agent that an address asks for, otherwise the one last viewed, as far as they exist. */
  choose(asked: string | null): AgentChoice {
    const { status, agents, last } = this.state.get()
    const wanted = asked ?? last
    if (wanted === null) return { kind: "agent", id: null }
    if (status !== "ready") return { kind: status }
    const found = agents.find(({ id }) => id === wanted)
    if (found !== undefined) return { kind: "agent", id: found.isDefault ? null : found.id }
    return asked === null ? { kind: "agent", id: null } : { kind: "unknown", id: asked }
  }

  /** How an address names an agent: not at all if there is only one. */
  nameOf(id: string | null): string | null {
    const { agents } = this.state.get()
    return agents.length > 1 ? (id ?? agents.find(({ isDefault }) => isDefault)?.id ?? null) : id
  }

  /** Remembers whose knowledge is viewed for the next visit. */
  remember(id: string | null): void {
    if (this.state.get().last === id) return
    this.publish({ last: id })
    try {
      if (id === null) this.storage.removeItem(KEY)
      else this.storage.setItem(KEY, id)
    } catch {
      // It is known for the life of the page.
    }
  }

  private publish(change: Partial<KnowledgeAgentsState>): void {
    this.state.set({ ...this.state.get(), ...change })
  }
}
