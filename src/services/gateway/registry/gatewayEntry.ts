import { type Path, Schema } from "effect"
import { failure } from "../../../contract/failures.ts"
import { makeJsonFile } from "../../platform/storage/jsonFile.ts"

const ID = /^[a-z0-9-]{1,64}$/
const MOST_CHARACTERS = 80
const SCHEMES: Readonly<Record<string, string>> = {
  "http:": "http:",
  "ws:": "http:",
  "https:": "https:",
  "wss:": "https:"
}

/** The HTTP origin of an address as people write it (http, https, ws or wss, host and port); `undefined` for any other. */
export const gatewayOrigin = (address: string): string | undefined => {
  if (!URL.canParse(address.trim())) return undefined
  const url = new URL(address.trim())
  const scheme = SCHEMES[url.protocol]
  const isPlain = url.username === "" && url.password === "" && url.port !== "0" && url.search === "" && url.hash === ""
  if (scheme === undefined || !isPlain || url.pathname.replace(/^\/+$/, "") !== "" || url.hostname === "")
    return undefined
  // A special scheme's URL keeps no port that is its default; ws has http's and wss has https's.
  return new URL(address.trim().replace(/^[a-z]+:/i, scheme)).origin
}

const LOOPBACK = /^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\])$/
const PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" }

const placeOf = (origin: string): string => {
  const { hostname, port, protocol } = new URL(origin)
  const host = LOOPBACK.test(hostname) ? "loopback" : hostname.replace(/\.$/, "")
  return `${host}:${port === "" ? PORTS[protocol] : port}`
}

/** Whether two origins are one place: http and https, and all names of this machine, count as one. */
export const isSamePlace = (a: string, b: string): boolean => placeOf(a) === placeOf(b)

/** Whether the gateway runs on the console's own machine. */
export const isLocal = (origin: string): boolean => LOOPBACK.test(new URL(origin).hostname)

/** A gateway's id. */
export const GatewayId = Schema.String.check(Schema.isPattern(ID)).annotate(failure("MUST_BE_A_GATEWAY_ID"))

/** What people call it. */
export const GatewayName = Schema.Trim.check(
  Schema.makeFilter((name: string) => name.length > 0 && name.length <= MOST_CHARACTERS && !/\p{Cc}/u.test(name))
).annotate(failure("MUST_BE_ONE_LINE", { max: MOST_CHARACTERS }))

/** Where it is. */
export const GatewayUrl = Schema.String.check(
  Schema.makeFilter((address: string) => gatewayOrigin(address) !== undefined)
).annotate(failure("MUST_BE_A_GATEWAY_ADDRESS"))

/** Its shared token; sent as it is, so it can't have what no header may have. */
export const GatewayToken = Schema.Trim.check(
  Schema.makeFilter((token: string) => /^[\x21-\x7e]{1,4096}$/.test(token))
).annotate(failure("MUST_BE_A_TOKEN"))

/** An added gateway as it's stored; a backup without secrets leaves an empty token. */
export const StoredGateway = Schema.Struct({
  id: GatewayId,
  name: GatewayName,
  url: GatewayUrl,
  token: Schema.Union([GatewayToken, Schema.Literal("")])
})
export type StoredGateway = typeof StoredGateway.Type

export const AddGateway = Schema.Struct({
  id: Schema.optionalKey(GatewayId),
  name: GatewayName,
  url: GatewayUrl,
  token: GatewayToken
})
export type AddGateway = typeof AddGateway.Type

export const ChangeGateway = Schema.Struct({
  name: Schema.optionalKey(GatewayName),
  url: Schema.optionalKey(GatewayUrl),
  token: Schema.optionalKey(GatewayToken)
})
export type ChangeGateway = typeof ChangeGateway.Type

/** An id that isn't taken, from a name. */
export const idFrom = (name: string, taken: (id: string) => boolean): string => {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 56)
  const first = plain === "" ? "gateway" : plain
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? first : `${first}-${number}`
    if (!taken(id)) return id
  }
}

/** There's no gateway with this id. */
export class UnknownGateway extends Schema.TaggedError<UnknownGateway>()("UnknownGateway", { id: Schema.String }) {}

/** The id or the address belongs to another one already. */
export class GatewayKnown extends Schema.TaggedError<GatewayKnown>()("GatewayKnown", {
  what: Schema.Literals(["id", "address"]),
  /** Who has it. */
  name: Schema.String
}) {}

/** The primary one is set in the settings file. */
export class PrimaryGateway extends Schema.TaggedError<PrimaryGateway>()("PrimaryGateway", {}) {}

/** Another host or port needs the token in the same request: the one that's stored belongs to the old one. */
export class TokenNeeded extends Schema.TaggedError<TokenNeeded>()("TokenNeeded", {}) {}

/** There are as many as there may be. */
export class TooManyGateways extends Schema.TaggedError<TooManyGateways>()("TooManyGateways", {}) {}

/** The added gateways with their tokens, in a file that only the console's user can read. */
export const gatewaysFile = (svcHome: string, paths: Path.Path) =>
  makeJsonFile({
    path: paths.join(svcHome, "gateways.json"),
    what: "the list of gateways",
    schema: Schema.Array(StoredGateway),
    empty: []
  })
