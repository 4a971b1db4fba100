import type { AgentRight } from "../../../../src/contract/agentRights.ts"
import type { Shown } from "../../../../src/contract/looseFields.ts"
import type { GatewayAgentsState } from "../../../../src/contract/schema/access.ts"
import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"
import type { ApiClient, ApiResult } from "../link/apiTypes.ts"

const PATH = "/api/mcp/gateway"
/** Longer than the server waits for the gateway to apply a change. */
const LIMIT_MS = 60_000

/** What the gateway was found to have. */
export type GatewayAgentsRow = Shown<GatewayAgentsState>

const read = ({ address, state }: GatewayAgentsState): GatewayAgentsRow => ({ state, address: address ?? null })

export interface GatewayAgentsView {
  /** Null until it's known. */
  readonly found: GatewayAgentsRow | null
  /** Why it isn't known. */
  readonly problem: string | null
}

export interface GatewayAgentsStore {
  readonly state: Readable<GatewayAgentsView>
  load(): Promise<void>
  add(address: string, rights: ReadonlyArray<AgentRight>): Promise<ActionResult>
  remove(): Promise<ActionResult>
}

/** Whether the gateway's own agents use the console's tools. */
export function createGatewayAgentsStore(api: Pick<ApiClient, "request">): GatewayAgentsStore {
  const state = createObservable<GatewayAgentsView>({ found: null, problem: null })

  async function load(): Promise<void> {
    const answer = await api.request("GET", PATH, read)
    state.set(answer.ok ? { found: answer.value, problem: null } : { found: null, problem: answer.error.message })
  }

  /** After a failure, what the gateway has is looked up: the change may have been made all the same. */
  async function settle(answer: ApiResult<GatewayAgentsRow>): Promise<ActionResult> {
    if (answer.ok) {
      state.set({ found: answer.value, problem: null })
      return { ok: true, value: true }
    }
    await load()
    return { ok: false, message: answer.error.message }
  }

  return {
    state,
    load,
    add: async (address, rights) => {
      const body = { address, rights }
      return settle(await api.request("PUT", PATH, read, { body, timeoutMs: LIMIT_MS }))
    },
    remove: async () => settle(await api.request("DELETE", PATH, read, { timeoutMs: LIMIT_MS }))
  }
}
