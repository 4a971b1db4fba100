import { qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type { Client } from "../client/Client.ts"
import { fieldsOf, recordOf } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { ApiClient } from "../link/apiTypes.ts"

/** Routes that can be asked about one gateway. */
const ROUTES = /^\/api\/(?:crons|skills|tokens|gateway)\b/

/** The path as it's asked about one gateway. */
export const pathAt = (path: string, gatewayId: string): string =>
  ROUTES.test(path) ? `${path}${path.includes("?") ? "&" : "?"}gateway=${gatewayId}` : path

/** The runs of a job, with their sessions named as the page names them. */
const qualifiedRuns = (body: unknown, gatewayId: string): unknown => {
  const { result } = fieldsOf(body)
  const { entries } = fieldsOf(result)
  if (!Array.isArray(entries)) return body
  const named = entries.map((entry: unknown) => {
    const fields = recordOf(entry)
    const key = fields?.sessionKey
    return typeof key === "string" ? { ...fields, sessionKey: qualifiedKey(gatewayId, key) } : entry
  })
  return { ...fieldsOf(body), result: { ...fieldsOf(result), entries: named } }
}

const clients = new WeakMap<Client, Map<string, Client>>()

/** The client for screens about one gateway: its link, and the console's answers about it. */
export function clientAt(client: Client, gatewayId: string): Client {
  const known = clients.get(client) ?? new Map<string, Client>()
  clients.set(client, known)
  const link = client.linkOf(qualifiedKey(gatewayId, ""))
  const found = known.get(gatewayId)
  // One that was removed and added again has another link.
  if (found?.link === link) return found
  const api: ApiClient = {
    ...client.api,
    request: (method, path, decode, options) =>
      client.api.request(method, pathAt(path, gatewayId), (body) => decode(qualifiedRuns(body, gatewayId)), options)
  }
  const made: Client = {
    ...client,
    api,
    link,
    gatewayStatus: gatewayId === "primary" ? client.gatewayStatus : createObservable(null)
  }
  known.set(gatewayId, made)
  return made
}
