import { Schema } from "effect"
import { gatewayServer, SERVER_NAME } from "../../../contract/agentSnippets.ts"

const Servers = Schema.Record(Schema.String, Schema.Unknown)

/** What a gateway's configuration says about servers with tools; secrets aren't in it. */
export const GatewayConfig = Schema.Struct({
  /** Names this state of the file; absent where there's no file yet. */
  hash: Schema.optional(Schema.NullOr(Schema.String)),
  config: Schema.Struct({
    mcp: Schema.optional(Schema.Struct({ servers: Schema.optional(Servers) }))
  })
})

const PATH = "/mcp"
/** Long enough to tell consoles apart. */
const MARK_LENGTH = 16

/** By which a console knows its own entry: the gateway hides the rest of what could tell. */
const markOf = (deviceId: string): string => deviceId.slice(0, MARK_LENGTH)

/** A token as an entry carries it. */
export interface EntryToken {
  readonly id: string
  readonly token: string
}

/** The entry of the console with this device, which the gateway reaches at `address`. */
export const entryFor = (address: string, deviceId: string, { id, token }: EntryToken) =>
  gatewayServer(`${address}${PATH}?${new URLSearchParams({ console: markOf(deviceId), agent: id })}`, token)

/** What is found under the console's name. */
export type FoundEntry =
  | { readonly kind: "none" }
  | { readonly kind: "own"; readonly address: string; readonly tokenId: string }
  | { readonly kind: "foreign" }

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whose entry it is; `undefined` stands for none. */
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
 * The parameters of `config.patch` that put an entry in or, with null, take `previous` out. Lists that somebody added
 * to it have to be named, or the gateway keeps it.
 */
export const patchOf = (hash: string | null | undefined, entry: object | null, previous: unknown) => {
  const lists = entry === null ? listsIn(previous, `mcp.servers.${SERVER_NAME}`) : []
  return {
    raw: JSON.stringify({ mcp: { servers: { [SERVER_NAME]: entry } } }),
    ...(typeof hash === "string" ? { baseHash: hash } : {}),
    ...(lists.length === 0 ? {} : { replacePaths: lists })
  }
}
