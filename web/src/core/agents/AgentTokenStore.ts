import type { AgentRight } from "../../../../src/contract/answers/AgentAnswers.ts"
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

/** The tokens of agents that use the console as a tool. */
export class AgentTokenStore {
  private readonly current = createObservable<AgentTokenState>({
    status: "loading",
    message: null,
    tokens: [],
    created: null
  })
  private readonly api: Pick<ApiClient, "request">

  constructor(api: Pick<ApiClient, "request">) {
    this.api = api
  }

  get state(): Readable<AgentTokenState> {
    return this.current
  }

  async load(): Promise<void> {
    const answer = await this.api.request("GET", TOKENS, readTokens)
    this.current.set({
      ...this.current.get(),
      ...(answer.ok
        ? { status: "ready", message: null, tokens: answer.value }
        : { status: "failed", message: answer.error.message })
    })
  }

  async create(name: string, rights: ReadonlyArray<AgentRight>): Promise<ActionResult> {
    const answer = await this.api.request("POST", TOKENS, readNewToken, { body: { name, rights } })
    if (!answer.ok) return { ok: false, message: answer.error.message }
    const { tokens } = this.current.get()
    this.current.set({ ...this.current.get(), tokens: [...tokens, answer.value.row], created: answer.value })
    return { ok: true, value: true }
  }

  /** Forgets the secret that was shown. */
  putAway(): void {
    this.current.set({ ...this.current.get(), created: null })
  }

  /** A token that's gone already is what was wanted. */
  async revoke(id: string): Promise<ActionResult> {
    const answer = await this.api.request("DELETE", `${TOKENS}/${encodeURIComponent(id)}`, () => true)
    if (this.current.get().created?.row.id === id) this.putAway()
    await this.load()
    return answer.ok || answer.error.kind === "not_found"
      ? { ok: true, value: true }
      : { ok: false, message: answer.error.message }
  }
}
