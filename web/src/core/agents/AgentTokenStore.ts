import type { AgentRight } from "../../../../src/contract/agentRights.ts"
import { createObservable } from "../common/Observable.ts"
import type { ActionResult, Readable } from "../common/readable.ts"
import type { ApiClient } from "../link/apiTypes.ts"
import { type AgentTokenRow, type NewToken, readNewToken, readTokens } from "./agentTokenTypes.ts"

const TOKENS = "/api/mcp/tokens"

export interface AgentTokenState {
  readonly status: "loading" | "ready" | "failed"
  readonly message: string | null
  readonly tokens: ReadonlyArray<AgentTokenRow>
  /** The token that was just created, until the person is done with it. */
  readonly created: NewToken | null
}

export interface AgentTokenStore {
  readonly state: Readable<AgentTokenState>
  load(): Promise<void>
  create(name: string, rights: ReadonlyArray<AgentRight>): Promise<ActionResult>
  /** Forgets the secret that was shown. */
  putAway(): void
  /** A token that's gone already is what was wanted. */
  revoke(id: string): Promise<ActionResult>
}

/** The tokens of agents that use the console as a tool. */
export function createAgentTokenStore(api: Pick<ApiClient, "request">): AgentTokenStore {
  const state = createObservable<AgentTokenState>({ status: "loading", message: null, tokens: [], created: null })

  async function load(): Promise<void> {
    const answer = await api.request("GET", TOKENS, readTokens)
    state.set({
      ...state.get(),
      ...(answer.ok
        ? { status: "ready", message: null, tokens: answer.value }
        : { status: "failed", message: answer.error.message })
    })
  }

  const putAway = () => state.set({ ...state.get(), created: null })

  return {
    state,
    load,
    create: async (name, rights) => {
      const answer = await api.request("POST", TOKENS, readNewToken, { body: { name, rights } })
      if (!answer.ok) return { ok: false, message: answer.error.message }
      const { tokens } = state.get()
      state.set({ ...state.get(), tokens: [...tokens, answer.value.row], created: answer.value })
      return { ok: true, value: true }
    },
    putAway,
    revoke: async (id) => {
      const answer = await api.request("DELETE", `${TOKENS}/${encodeURIComponent(id)}`, () => true)
      if (state.get().created?.row.id === id) putAway()
      await load()
      return answer.ok || answer.error.kind === "not_found"
        ? { ok: true, value: true }
        : { ok: false, message: answer.error.message }
    }
  }
}
