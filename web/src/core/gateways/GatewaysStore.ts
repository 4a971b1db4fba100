import type { GatewayEntry, GatewayList } from "../../../../src/contract/schema/gateway.ts"
import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"
import type { ApiClient } from "../link/apiTypes.ts"
import { failureText } from "../link/failureText.ts"
import type { LiveLink } from "../link/LiveLink.ts"
import { shownGatewayName } from "./shownGatewayName.ts"

const PATH = "/api/gateways"

/** A gateway of this console. */
export interface GatewayRow {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly isPrimary: boolean
  /** On the console's own machine. */
  readonly isLocal: boolean
  readonly state: GatewayEntry["state"]
  readonly reason: string | null
  readonly protocol: number | null
  readonly device: GatewayEntry["device"]
  /** What to approve on the gateway's machine, while the device waits for that. */
  readonly requestId: string | null
}

export interface GatewaysState {
  readonly status: "loading" | "ready" | "failed"
  readonly message: string | null
  readonly gateways: ReadonlyArray<GatewayRow>
}

/** What a person enters about a gateway; an empty token leaves the stored one. */
export interface GatewayInput {
  readonly name: string
  readonly url: string
  readonly token: string
}

export interface GatewaysStore {
  readonly state: Readable<GatewaysState>
  load(): Promise<void>
  add(input: GatewayInput): Promise<ActionResult>
  change(id: string, input: GatewayInput): Promise<ActionResult>
  remove(id: string): Promise<ActionResult>
  /** Follows what the console tells, until the returned function is called. */
  follow(): () => void
}

const rowOf = (gateway: GatewayEntry): GatewayRow => ({
  id: gateway.id,
  name: shownGatewayName(gateway.name),
  url: gateway.url,
  isPrimary: gateway.primary,
  isLocal: gateway.local,
  state: gateway.state,
  reason: failureText(gateway.reason ?? null, gateway.why),
  protocol: gateway.protocol ?? null,
  device: gateway.device,
  requestId: gateway.requestId ?? null
})

/** Reads `GET /api/gateways`. */
export const readGateways = ({ gateways }: GatewayList): ReadonlyArray<GatewayRow> => gateways.map(rowOf)

const accepted = (): true => true

/** The console's gateways, as Settings show them. */
export function createGatewaysStore(api: Pick<ApiClient, "request">, live: Pick<LiveLink, "open">): GatewaysStore {
  const state = createObservable<GatewaysState>({ status: "loading", message: null, gateways: [] })

  async function load(): Promise<void> {
    const answer = await api.request("GET", PATH, readGateways)
    if (answer.ok) state.set({ status: "ready", message: null, gateways: answer.value })
    else if (state.get().status !== "ready")
      state.set({ ...state.get(), status: "failed", message: answer.error.message })
  }

  async function act(method: "POST" | "PATCH" | "DELETE", path: string, body?: object): Promise<ActionResult> {
    const done = await api.request(method, path, accepted, body === undefined ? {} : { body })
    if (!done.ok) return { ok: false, message: done.error.message }
    await load()
    return { ok: true, value: true }
  }

  const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`

  return {
    state,
    load,
    add: (input) => act("POST", PATH, input),
    change: (id, { token, ...input }) => act("PATCH", pathOf(id), token === "" ? input : { ...input, token }),
    remove: (id) => act("DELETE", pathOf(id)),
    follow: () =>
      live.open("gateways", {
        onState: ({ items }) => state.set({ status: "ready", message: null, gateways: items.map(rowOf) })
      }).close
  }
}
