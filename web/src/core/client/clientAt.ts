import { PRIMARY, qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import { createObservable } from "../common/Observable.ts"
import type { ApiClient } from "../link/apiTypes.ts"
import type { Client } from "./Client.ts"

/** Routes that can be asked about one gateway. */
const ROUTES = /^\/api\/(?:crons|skills|tokens|gateway)\b/

/** The path as it's asked about one gateway. */
export const pathAt = (path: string, gatewayId: string): string =>
  ROUTES.test(path) ? `${path}${path.includes("?") ? "&" : "?"}gateway=${gatewayId}` : path

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
    request: (method, path, read, options) => client.api.request(method, pathAt(path, gatewayId), read, options)
  }
  const made: Client = {
    ...client,
    api,
    link,
    gatewayId,
    gatewayStatus: gatewayId === PRIMARY ? client.gatewayStatus : createObservable(null)
  }
  known.set(gatewayId, made)
  return made
}
