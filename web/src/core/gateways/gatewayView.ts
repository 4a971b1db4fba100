import { type Fields, fieldsOf, recordOf } from "../../../../src/contract/looseFields.ts"
import { keyParts, qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import { createObservable } from "../common/Observable.ts"
import type { GatewayHello, GatewayLink } from "../link/linkTypes.ts"

/** The fields of requests, answers and events in which a session is named. */
const KEY_FIELDS = ["key", "sessionKey", "parentSessionKey", "spawnedBy"] as const

type Change = (key: string) => string

/** A record with the sessions it names changed. */
const withKeys = (fields: Fields, change: Change): Fields => {
  const changed: Record<string, unknown> = { ...fields }
  for (const name of KEY_FIELDS) {
    const key = changed[name]
    if (typeof key === "string" && key !== "") changed[name] = change(key)
  }
  return changed
}

const plain: Change = (key) => keyParts(key).key

/** A request as the gateway understands it. */
export const plainParams = (params: object): object => {
  const { sessionKeys, ...fields } = withKeys(fieldsOf(params), plain)
  if (!Array.isArray(sessionKeys)) return fields
  return { ...fields, sessionKeys: sessionKeys.map((key) => (typeof key === "string" ? plain(key) : key)) }
}

/** What a gateway says, with its sessions named as the page names them. */
export const qualifiedPayload = (gatewayId: string, payload: unknown): unknown => {
  const fields = recordOf(payload)
  if (fields === null) return payload
  const change: Change = (key) => qualifiedKey(gatewayId, key)
  const changed = { ...withKeys(fields, change) }
  const session = recordOf(fields.session)
  if (session !== null) return { ...changed, session: withKeys(session, change) }
  if (!Array.isArray(fields.sessions)) return changed
  return {
    ...changed,
    sessions: fields.sessions.map((row: unknown) => {
      const session = recordOf(row)
      return session === null ? row : withKeys(session, change)
    })
  }
}

/** The addresses of a gateway's files; the console finds its gateway by the same mark as the page a session's. */
const FILES = /(\/api\/chat\/media\/outgoing\/|media:\/\/inbound\/)(?=[^/?#"]+)/g

/** A conversation with the files in it named as those of this gateway. */
const qualifiedFiles = (gatewayId: string, payload: unknown): unknown => {
  const text = JSON.stringify(payload) ?? "null"
  return text.search(FILES) < 0 ? payload : JSON.parse(text.replace(FILES, `$1@${gatewayId}:`))
}

/** The link to an added gateway, as if its sessions had the keys that the page gives them. */
export function gatewayView(gatewayId: string, link: GatewayLink): GatewayLink {
  const qualified = (hello: GatewayHello | null) =>
    hello && { ...hello, mainSessionKey: qualifiedKey(gatewayId, hello.mainSessionKey) }
  const hello = createObservable(qualified(link.hello.get()))
  link.hello.subscribe((greeting) => hello.set(qualified(greeting)))
  return {
    ...link,
    hello,
    request: async (method, params, options) => {
      const payload = await link.request(method, plainParams(params), options)
      return qualifiedPayload(gatewayId, method === "chat.history" ? qualifiedFiles(gatewayId, payload) : payload)
    },
    onEvent: (listener) =>
      link.onEvent((frame) => listener({ ...frame, payload: qualifiedPayload(gatewayId, frame.payload) }))
  }
}
