import type { AgentRight } from "../../../../src/contract/agentRights.ts"
import type { Shown } from "../../../../src/contract/looseFields.ts"
import type { AgentToken, AgentTokenList, NewAgentToken } from "../../../../src/contract/schema/access.ts"
import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"
import { say } from "../language/say.ts"
import type { ApiClient } from "../link/apiTypes.ts"

/** A token as shown on screen. */
export type AgentTokenRow = Omit<Shown<AgentToken>, "taskId">

const rowOf = ({ lastUsedAt, taskId: _, ...token }: AgentToken): AgentTokenRow => ({
  ...token,
  lastUsedAt: lastUsedAt ?? null
})

/** Reads `GET /api/mcp/tokens`. */
const readTokens = ({ tokens }: AgentTokenList): ReadonlyArray<AgentTokenRow> => tokens.map(rowOf)

/** A token with the secret that is shown once. */
interface NewToken {
  readonly row: AgentTokenRow
  readonly secret: string
}

/** Reads `POST /api/mcp/tokens`. */
const readNewToken = ({ token, ...row }: NewAgentToken): NewToken => ({
  row: rowOf(row),
  secret: token
})

/** What each right is called, and what it lets an agent do. */
export const RIGHT_TEXTS: Readonly<Record<AgentRight, { readonly label: string; readonly hint: string }>> = {
  read: { label: say("Read"), hint: say("See the cards on the board.") },
  propose: { label: say("Propose"), hint: say("Suggest new cards and changes, which you approve or reject.") },
  write: { label: say("Change"), hint: say("Add, change, claim and complete cards without asking.") },
  ask: { label: say("Ask you"), hint: say("Put questions into your inbox and read your answers.") },
  search: { label: say("Search"), hint: say("Search conversations, cards, memories and documents.") },
  run: { label: say("Start"), hint: say("Let cards that it makes or changes start by themselves.") }
}

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
