import { keyParts, PRIMARY, qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type { Readable } from "../common/Observable.ts"
import type { ApiClient, ApiFailure, EventStream, GatewayName, ServerEvent } from "../link/apiTypes.ts"
import type { KeyValueStorage } from "../link/Environment.ts"

/** The knowledge screens' connections to the server. */
export interface Connections {
  readonly api: ApiClient
  readonly events: EventStream
  /** All gateways, the primary one first; null where there's one only. */
  readonly gateways: Readable<ReadonlyArray<GatewayName> | null>
}

const withQuery = (address: string, query: string): string => `${address}${address.includes("?") ? "&" : "?"}${query}`

/**
 * An address of this page for an agent; null for the default one. An agent of an added gateway is `@<gateway>:<agent>`.
 */
export const withAgent = (address: string, agent: string | null): string =>
  agent === null ? address : withQuery(address, `agent=${encodeURIComponent(agent)}`)

/** An address of the API for such an agent. */
export const askedOf = (address: string, agent: string | null): string => {
  if (agent === null) return address
  const { gatewayId, key } = keyParts(agent)
  const query = `agent=${encodeURIComponent(key)}`
  return withQuery(address, gatewayId === PRIMARY ? query : `${query}&gateway=${gatewayId}`)
}

/** Whether what an agent knows is on the machine of an added gateway. */
export const isElsewhere = (agent: string | null): boolean => agent !== null && keyParts(agent).gatewayId !== PRIMARY

/** Events about files are those of one agent; others are everybody's. */
const isFor = ({ event, data }: ServerEvent, agent: string | null): boolean => {
  if (event !== "file.changed" && event !== "memory.changed") return true
  if (!("agent" in data) || data.agent === undefined) return agent === null
  return qualifiedKey("gatewayId" in data ? (data.gatewayId ?? PRIMARY) : PRIMARY, data.agent) === agent
}

/**
 * A missing agent or workspace says nothing about a text in it: what was typed has no other version to conflict with.
 */
const notOfText = (error: ApiFailure): ApiFailure => {
  const code = error.body?.error
  return code === "unknown_agent" || code === "workspace_missing" ? { ...error, kind: "forbidden" } : error
}

/** The connections for one agent: every request names it, and only its file events get through. */
export const agentConnections = (
  { api, events }: Connections,
  agent: string | null
): Omit<Connections, "gateways"> => ({
  api: {
    ...api,
    request: async (method, path, read, options) => {
      const result = await api.request(method, askedOf(path, agent), read, options)
      return result.ok ? result : { ok: false, error: notOfText(result.error) }
    }
  },
  events: {
    ...events,
    on: (name, listener) =>
      events.on(name, (event) => {
        if (isFor(event, agent)) listener(event)
      })
  }
})

/** Storage that keeps an agent's unsaved texts and open files apart from the others'. */
export const agentStorage = (storage: KeyValueStorage, agent: string | null): KeyValueStorage => {
  if (agent === null) return storage
  const own = (key: string) => `agent-console:of:${agent}:${key}`
  return {
    getItem: (key) => storage.getItem(own(key)),
    setItem: (key, value) => storage.setItem(own(key), value),
    removeItem: (key) => storage.removeItem(own(key))
  }
}
