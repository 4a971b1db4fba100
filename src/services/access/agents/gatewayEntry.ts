import { Schema } from "effect"
import { gatewayServer, SERVER_NAME } from "../../../contract/agentSnippets.ts"

const Servers = Schema.Record(Schema.String, Schema.Unknown)

/** The tool servers in a gateway's configuration, without secrets. */
export const GatewayConfig = Schema.Struct({
  /** The hash of this state of the file; absent if there's no file yet. */
  hash: Schema.optional(Schema.NullOr(Schema.String)),
  config: Schema.Struct({
    mcp: Schema.optional(Schema.Struct({ servers: Schema.optional(Servers) }))
  })
})

const PATH = "/mcp"
/** Long enough to distinguish consoles. */
const MARK_LENGTH = 16

/** The mark by which a console recognises its entry, because the gateway redacts the rest. */
const markOf = (deviceId: string): string => deviceId.slice(0, MARK_LENGTH)

/** The token in an entry. */
export interface EntryToken {
  readonly id: string
  readonly token: string
}

/** Returns the entry of the console with this device, which the gateway reaches at `address`. */
export const entryFor = (address: string, deviceId: string, { id, token }: EntryToken) =>
  gatewayServer(`${address}${PATH}?${new URLSearchParams({ console: markOf(deviceId), agent: id })}`, token)

/** The entry under the console's name. */
export type FoundEntry =
  | { readonly kind: "none" }
  | { readonly kind: "own"; readonly address: string; readonly tokenId: string }
  | { readonly kind: "foreign" }

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the owner of an entry; `undefined` means no entry. */
export const readEntry = (entry: unknown, deviceId: string): FoundEntry => {
  if (entry === undefined) return { kind: "none" }
  const text = isRecord(entry) && typeof entry.url === "string" ? entry.url : ""
  if (!URL.canParse(text)) return { kind: "foreign" }
  const { origin, searchParams } = new URL(text)
  const tokenId = searchParams.get("agent")
  return tokenId === null || searchParams.get("console") !== markOf(deviceId)
    ? { kind: "foreign" }
    : { kind: "own", address: origin, tokenId }
}

const listsIn = (value: unknown, path: string): ReadonlyArray<string> => {
  if (Array.isArray(value)) return [path]
  return isRecord(value) ? Object.entries(value).flatMap(([key, inner]) => listsIn(inner, `${path}.${key}`)) : []
}

/**
 * Returns the parameters of `config.patch` that add an entry or, with null, remove `previous`. Lists that others added
 * to it must be named, or the gateway keeps it.
 */
export const patchOf = (hash: string | null | undefined, entry: object | null, previous: unknown) => {
  const lists = entry === null ? listsIn(previous, `mcp.servers.${SERVER_NAME}`) : []
  return {
    raw: JSON.stringify({ mcp: { servers: { [SERVER_NAME]: entry } } }),
    ...(typeof hash === "string" ? { baseHash: hash } : {}),
    ...(lists.length === 0 ? {} : { replacePaths: lists })
  }
}
