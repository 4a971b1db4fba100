import type { ErrorAnswer } from "../../../../src/contract/answers/Answers.ts"
import type { EventData } from "../../../../src/contract/ConsoleEvent.ts"
import { fieldsOf, textOf } from "../common/decode.ts"
import type { ApiClient, ApiFailure, EventStream, ServerEvent } from "../link/apiTypes.ts"
import type { KeyValueStorage } from "../link/Environment.ts"

/** The knowledge screens' connections to the server. */
export interface Connections {
  readonly api: ApiClient
  readonly events: EventStream
}

/** An address, on this page or of the API, for an agent; null for the default one. */
export const withAgent = (address: string, agent: string | null): string => {
  if (agent === null) return address
  return `${address}${address.includes("?") ? "&" : "?"}agent=${encodeURIComponent(agent)}`
}

/** Events about files are those of one agent; others are everybody's. */
const isFor = ({ event, data }: ServerEvent, agent: string | null): boolean =>
  (event !== "file.changed" && event !== "memory.changed") ||
  textOf(fieldsOf<EventData[typeof event]>(data).agent) === agent

/**
 * A missing agent or workspace says nothing about a text in it: what was typed has no other version to conflict with.
 */
const notOfText = (error: ApiFailure): ApiFailure => {
  const code = fieldsOf<ErrorAnswer>(error.body).error
  return code === "unknown_agent" || code === "workspace_missing" ? { ...error, kind: "forbidden" } : error
}

/** The connections for one agent: every request names it, and only its file events get through. */
export const agentConnections = ({ api, events }: Connections, agent: string | null): Connections => ({
  api: {
    ...api,
    request: async (method, path, decode, options) => {
      const result = await api.request(method, withAgent(path, agent), decode, options)
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
